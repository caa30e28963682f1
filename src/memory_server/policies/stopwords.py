"""English words that carry no content of their own; left out of queries that match any word."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are aren as at be because been before being below
    between both but by can cannot could couldn did didn do does doesn doing don down during each either else ever
    every few for from further get gets got had hadn has hasn have haven having he her here hers herself him himself
    his how however i if in into is isn it its itself just let like ll many may me might more most much must my myself
    neither no nor not now of off on once only or other our ours ourselves out over own please quite rather re really
    said same say says shall she should shouldn since so some still such t than that the their theirs them themselves
    then there these they this those though through thus to too under until up upon us ve very was wasn we well were
    weren what when where whether which while who whom whose why will with within without won would wouldn yes yet
    you your yours yourself yourselves s d m""".split()
)
