# nvcc's own code on the CPU: of each source nvcc makes host code, which launches kernels by way of
# cudart.cpp, and PTX, which ptx.py translates.
include_guard()
find_package(Python REQUIRED COMPONENTS Interpreter)
find_package(CUDAToolkit REQUIRED)
set(here ${CMAKE_CURRENT_LIST_DIR})

# add_translated(TARGET FOLDER-OF-HEADERS FLAGS SOURCE...)
function(add_translated target headers flags)
  file(GLOB needed ${headers}/*.h ${headers}/*.cuh)
  foreach(source ${ARGN})
    cmake_path(GET source STEM name)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/translated/${name})
    set(made ${folder}/${name}.o ${folder}/${name}.cpp)
    add_custom_command(
      OUTPUT ${made}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} -std=c++17 -O3 -arch=compute_90
        -Xcompiler -fPIC,-fvisibility=hidden,-iquote,${headers} ${flags}
        --keep --keep-dir ${folder} -c ${source} -o ${folder}/${name}.o
      COMMAND ${Python_EXECUTABLE} -I ${here}/ptx.py ${folder}/${name}.ptx ${folder}/${name}.cpp
      DEPENDS ${source} ${needed} ${here}/ptx.py
      VERBATIM COMMAND_EXPAND_LISTS)
    target_sources(${target} PRIVATE ${made})
    # No product and sum are made one but where PTX says so.
    set_source_files_properties(${folder}/${name}.cpp PROPERTIES
      COMPILE_OPTIONS "-O1;-w;-ffp-contract=off")
  endforeach()
  foreach(file fiber machine memory mma copies traffic cudart)
    target_sources(${target} PRIVATE ${here}/${file}.cpp)
  endforeach()
  target_include_directories(${target} PRIVATE ${here} ${CUDAToolkit_INCLUDE_DIRS})
endfunction()
