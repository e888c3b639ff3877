-- The progress of a collection (guard.lua). Only reads.
--
-- KEYS  the job's (guard.lua)
return describe_progress({})
