# nvcc's own code on the CPU: of each source nvcc makes host code, which launches kernels by way of
# cudart.cpp, and PTX, which ptx.py translates.
include_guard()
find_package(Python REQUIRED COMPONENTS Interpreter)
find_package(CUDAToolkit REQUIRED)
set(here ${CMAKE_CURRENT_LIST_DIR})

# The PTX of compute capabilities 7.5 and 9.0, translated: kernels differ before and since 8.0.
set(capabilities 75 90)
set(nvcc ${CUDAToolkit_NVCC_EXECUTABLE} -std=c++17 -O3)
foreach(capability ${capabilities})
  set(for_${capability} -gencode=arch=compute_${capability},code=compute_${capability})
endforeach()
set(translate ${Python_EXECUTABLE} -I ${here}/ptx.py)

# check_translated(RESULT FOLDER-OF-HEADERS FLAGS SOURCE...): whether ptx.h has all instructions that
# this nvcc makes of the sources; what it has not is in RESULT_missing.
function(check_translated result headers flags)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/translated/check)
  file(MAKE_DIRECTORY ${folder})
  foreach(source ${ARGN})
    foreach(command
      "${nvcc};${for_90};${flags};-Xcompiler;-iquote,${headers};-ptx;${source};-o;${folder}/ptx"
      "${translate};${folder}/ptx;${folder}/ptx.cpp"
      "${CMAKE_CXX_COMPILER};-std=c++20;-w;-fsyntax-only;-I${here};${folder}/ptx.cpp")
      execute_process(COMMAND ${command} OUTPUT_QUIET ERROR_VARIABLE error RESULT_VARIABLE failed)
      if(failed)
        string(REGEX MATCH "error:[^\n]*" error "${error}")
        set(${result} OFF PARENT_SCOPE)
        set(${result}_missing "${error}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  set(${result} ON PARENT_SCOPE)
endfunction()

# add_translated(TARGET FOLDER-OF-HEADERS FLAGS SOURCE...)
function(add_translated target headers flags)
  file(GLOB needed ${headers}/*.h ${headers}/*.cuh)
  foreach(source ${ARGN})
    cmake_path(GET source STEM name)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/translated/${name})
    set(translated)
    set(translations)
    foreach(capability ${capabilities})
      set(kernels ${folder}/${name}.compute_${capability})
      list(APPEND translated ${kernels}.cpp)
      list(APPEND translations COMMAND ${translate} ${kernels}.ptx ${kernels}.cpp)
    endforeach()
    add_custom_command(
      OUTPUT ${folder}/${name}.o ${translated}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${nvcc} ${for_75} ${for_90} ${flags}
        -Xcompiler -fPIC,-fvisibility=hidden,-iquote,${headers}
        --keep --keep-dir ${folder} -c ${source} -o ${folder}/${name}.o
      ${translations}
      DEPENDS ${source} ${needed} ${here}/ptx.py
      VERBATIM COMMAND_EXPAND_LISTS)
    target_sources(${target} PRIVATE ${folder}/${name}.o ${translated})
    # Each instruction is a small function: inlined, they are compiled in half the time. No product and
    # sum are made one but where PTX says so.
    set_source_files_properties(${translated} PROPERTIES
      COMPILE_OPTIONS "-O1;-finline-small-functions;-w;-ffp-contract=off")
  endforeach()
  foreach(file machine memory twins traffic cudart)
    target_sources(${target} PRIVATE ${here}/${file}.cpp)
  endforeach()
  target_include_directories(${target} PRIVATE ${here} ${CUDAToolkit_INCLUDE_DIRS})
endfunction()
