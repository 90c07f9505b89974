"""Time torch.compile against eager execution on the lab's ResNet-18, from the first call on; write
a record.
"""

import argparse

from labs.experiments.compilation.lab import observe as lab
from labs.experiments.compilation.lab.fitting import largest_batch
from labs.experiments.compilation.sizes import COMPILATION, OF_THE_LAB
from labs.jobs.arguments import add_settings
from labs.jobs.processes import add_timing_arguments, run_in_processes
from labs.jobs.run import require_device
from labs.measure.processes import Stages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, COMPILATION, *OF_THE_LAB)
    add_timing_arguments(parser)
    arguments = parser.parse_args()
    require_device(arguments.device)
    arguments.asked_batch_size = arguments.batch_size
    arguments.batch_size = largest_batch(
        arguments.image_size,
        tuple(arguments.depths),
        arguments.asked_batch_size,
        arguments.device,
    )
    stages = Stages(arguments.processes * len(lab.MODES), budget=None)
    lab_calls = arguments.counts[0]
    run_in_processes("compilation", arguments, lab.observe, stages=stages, lab_calls=lab_calls)


if __name__ == "__main__":
    main()
