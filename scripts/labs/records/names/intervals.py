"""What all intervals of the report share, and the least differences that matter to a reader."""

CONFIDENCE = 0.95
"""The confidence level of every interval; of many searches, the share that a band holds."""

EQUIVALENCE = 0.90
"""The level of the interval that has to lie within a margin: two one-sided tests at 5 % each."""

POINT = 0.01
"""The least difference of shares, such as accuracies, that matters: about as far as another
training seed moves the accuracy of these models."""
TEN_POINTS = 10 * POINT

FASTER = 1.05
"""The least ratio of times that matters: smaller gains come and go with the version of a library,
and are not worth a change of code."""

OFTEN = 0.05
"""The least that matters of how often one search is ahead of another, from one half: ahead in
fewer than fifty-five of a hundred pairs, it is hardly a reason to choose a sampler."""

RATIOS_BETWEEN_RUNS = 0.02
"""The standard deviation, relative, by which a ratio of times differs between runs on one idle
machine, beyond what the spread of each run's processes says. Three runs in which no disturbed
sample had to count showed 1.8 % (root mean square over ratios), which is rounded up;
labs/measure/README.md says how well runs agree."""

TIMES_BETWEEN_RUNS = 0.05
"""The same of a time or a rate, which the speed of the whole machine moves, too: 4.5 % in these
runs, rounded up."""
