-- One token bucket, the same for every process that charges it.
--
-- KEYS[1]  hf:bucket:<owner>
-- ARGV     now_ms, capacity, refill_per_s, cost
-- returns  {allowed (0 or 1), remaining (whole points, rounded down), retry_after_ms}
--
-- Time comes in as an argument, so that the script is a pure function of its input and testable without a
-- clock. A caller whose clock is behind the bucket's refills nothing, and never takes time back. A cost above
-- the capacity can never be paid: retry_after_ms is then the time to a full bucket. Cost 0 only looks,
-- and a negative cost gives points back, up to the capacity.
local now, capacity, refill, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'points', 'at')
local points, at = tonumber(kept[1]) or capacity, tonumber(kept[2]) or now

if now > at then
  points = points + (now - at) * refill / 1000
  at = now
end
points = math.min(points, capacity)

local allowed, retry_after_ms = 0, 0
if points >= cost then
  allowed = 1
  points = math.min(points - cost, capacity)
else
  retry_after_ms = math.ceil((math.min(cost, capacity) - points) * 1000 / refill)
end

if cost ~= 0 then
  redis.call('HSET', KEYS[1], 'points', string.format('%.6f', points), 'at', string.format('%.0f', at))
  -- After this long the bucket is full again, and a full bucket is the same as none.
  redis.call('PEXPIRE', KEYS[1], math.ceil(capacity * 1000 / refill) + 1000)
end
return {allowed, math.floor(points), retry_after_ms}
