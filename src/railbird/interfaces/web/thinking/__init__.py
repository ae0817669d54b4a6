"""Agents run in separate processes.

- `answers`: answers of the processes that run agents, or the reason why there is none
- `preparation`: compiles what tables need before anyone waits for it
- `process`: the server's side of one thinker process: started, asked, given a time limit, killed and restarted
- `quarantine`: agents whose parameters made them so slow that a process had to be killed are not used for a while
- `rehearsal`: a few hands that nobody watches, in which everything is asked that a table may ask
- `resident`: the memory usage of a process
- `thinker`: the process that runs agents, forked by a nursery of the server
- `thinkers`: runs agents in separate processes, so that tables do not wait for each other, nor the event loop for them
- `thought`: an agent's decision at a table, as received from its process
- `warming`: loads the compiled code that a table needs before the first one opens
"""
