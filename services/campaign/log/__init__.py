"""The log: what has happened in a campaign, numbered without gaps, and the notes that its players write.

Read ``models``, ``service``, ``repository``, then ``graphql``. The other features write what they do into it
by ``repository.Log``, in their own units of work.
"""
