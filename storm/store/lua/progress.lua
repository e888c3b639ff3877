-- Where a collection stands (guard.lua). Only reads.
--
-- KEYS  the job's (guard.lua)
return describe_progress({})
