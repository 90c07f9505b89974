"""
Build the package mxint_cuda.

REQUIRED INPUTS:

    sources = mxint_cuda/ without its benchmark and its tests

OUTPUTS:

    manifest = results/build/manifest.json, beside the importable package; jobs that need it take
               manifest_of_build as an input and run with PYTHONPATH=results/build
"""

from labs.setup.build import forget_damaged

BUILD = "results/build/manifest.json"
PROJECT = "mxint_cuda/pyproject.toml"
BUILDING = "build-cuda" if "cuda" in MEASURED_ON else "build"
SOURCES = [
    "mxint_cuda/CMakeLists.txt",
    "mxint_cuda/cutlass.py",
    *files_in("mxint_cuda/csrc"),
    *(path for path in files_in("mxint_cuda/python") if path.endswith(".py")),
    *(path for path in files_in("mxint_cuda/emulator") if not path.endswith(".md")),
]

if workflow.is_main_process and (damaged := forget_damaged(Path(BUILD))):
    print(damaged, file=sys.stderr)


def manifest_of_build(wildcards):
    """The manifest, through its checkpoint: Snakemake then compares it again after the build, and
    edited sources that build to the same product rerun no measurement.
    """
    return checkpoints.build_mxint_cuda.get().output.manifest


checkpoint build_mxint_cuda:
    message:
        "Building mxint_cuda"
    input:
        project=PROJECT,
        sources=SOURCES,
    output:
        manifest=BUILD,
    params:
        program=unchanged("scripts/build_mxint_cuda.py"),
        software=locked(BUILDING),
        text=digest(PROJECT, *SOURCES),
        source=lambda wildcards, input: os.path.dirname(input.project),
        cutlass="results/data/cutlass",
        # The kernels for a GPU take most of the build.
        kernels=[] if "cuda" in MEASURED_ON else "--no-gpu",
    log:
        "logs/build_mxint_cuda.log",
    threads: min(2, ALL_CORES)
    # Much waits for it, and at the start there is little else to do.
    priority: FIRST
    conda:
        f"../../envs/{BUILDING}.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --source {params.source:q} \
            --cutlass {params.cutlass:q} \
            --output {output.manifest:q} \
            {params.kernels:q} \
            2>&1 | tee {log:q}
        """
