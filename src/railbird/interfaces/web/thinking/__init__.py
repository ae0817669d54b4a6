"""Agents think in processes of their own.

- `answers`: answers of the processes in which agents think, or a sentence that says why there is none
- `process`: one process of thinkers as the server sees it: started, asked, given a time limit, killed and started
  again
- `quarantine`: agents whose parameters made them so slow that a process had to be killed are not asked for a while
- `resident`: how much memory a process has
- `thinker`: the process in which agents think: `python -m railbird.interfaces.web.thinking.thinker FD [trusted]`,
  started by the server
- `thinkers`: agents think in processes of their own, so that a table never waits for another, and the event loop for
  none
- `thought`: what an agent decided at a table, as its process tells it
- `warming`: everything compiled that a table needs, loaded before the first one opens
"""
