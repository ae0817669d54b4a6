"""What the fork server loads before it forks workers (`fork_server`), so that none of them has to.

Importing this module plays two hands between baselines, which loads the agents' registry and the compiled rules.
Nothing is compiled for it: several workers compile faster than one process on which all of them wait.

What is loaded then stays to the end of every worker. Python's collector no longer looks at it, which saves workers a
tenth of their time, and the copies of the memory that looking would make.
"""

import gc
from contextlib import suppress

from railbird.arena.play.plan import MatchPlan, entrants_of
from railbird.arena.run.job import Job
from railbird.kernels.shared_cache import NotCompiled, loading_only

with suppress(NotCompiled), loading_only():
    Job(MatchPlan("limit-2p", entrants_of(["always-call"] * 2), hands=2, seed="0")).play()

gc.freeze()
