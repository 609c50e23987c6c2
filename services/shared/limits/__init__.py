"""Cost limits: what requests and the work they ask for are charged with, the same for every transport.

Read ``purses`` (who pays, and how much there is), ``bucket`` (where that is kept, in Redis), then ``meter``
(what a point is worth, and how a service charges for heavy work before it begins), and ``turns`` (who is next
where there is not room for all at once).
"""
