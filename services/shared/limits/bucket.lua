-- Token buckets, the same for every process that charges them: one charge takes from all that it names, or from
-- none.
--
-- KEYS[i]  hf:bucket:<owner>
-- ARGV     now_ms, then for each key: capacity, refill_per_s, cost
-- returns  {allowed (0 or 1), remaining in the first (whole points, rounded down), retry_after_ms of the slowest,
--          which is the slowest (from 1; 0 when allowed), then what remains in each of the others}
--
-- Time comes in as an argument, so that the script is a pure function of its input and testable without a
-- clock. A caller whose clock is behind the bucket's refills nothing, and takes no time back, up to a tolerance
-- that the clocks of one installation keep; beyond it the clock was set back, and the bucket goes by the new time
-- with what it holds, or it would refill nothing until the old time returns. A bucket that was set by hand, and so
-- has no end of its life, keeps its time and goes on without an end: set ahead, it is held until it is let go. A
-- cost above the capacity can never be paid: retry_after_ms is then the time to a full bucket. Cost 0 only looks,
-- and a negative cost gives points back, up to the capacity.
local TOLERANCE_MS = 5000
local now = tonumber(ARGV[1])
local buckets, allowed, retry_after_ms, slowest = {}, 1, 0, 0

for i, key in ipairs(KEYS) do
  local first = 3 * i - 1
  local capacity, refill, cost = tonumber(ARGV[first]), tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
  local kept = redis.call('HMGET', key, 'points', 'at')
  local points, at = tonumber(kept[1]) or capacity, tonumber(kept[2]) or now
  local by_hand = redis.call('PTTL', key) == -1
  if now > at then
    points = points + (now - at) * refill / 1000
    at = now
  elseif at - now > TOLERANCE_MS and not by_hand then
    at = now
  end
  points = math.min(points, capacity)
  if points < cost then
    allowed = 0
    local wait = math.ceil((math.min(cost, capacity) - points) * 1000 / refill)
    if slowest == 0 or wait > retry_after_ms then
      retry_after_ms, slowest = wait, i
    end
  end
  buckets[i] = { key = key, points = points, at = at, capacity = capacity, refill = refill, cost = cost, by_hand = by_hand }
end

for _, bucket in ipairs(buckets) do
  if allowed == 1 then
    bucket.points = math.min(bucket.points - bucket.cost, bucket.capacity)
  end
  if bucket.cost ~= 0 then
    redis.call('HSET', bucket.key, 'points', string.format('%.6f', bucket.points),
      'at', string.format('%.0f', bucket.at))
    -- After this long the bucket is full again, and a full bucket is the same as none.
    if not bucket.by_hand then
      redis.call('PEXPIRE', bucket.key, math.ceil(bucket.capacity * 1000 / bucket.refill) + 1000)
    end
  end
end
local found = {allowed, math.floor(buckets[1].points), retry_after_ms, slowest}
for i = 2, #buckets do
  found[i + 3] = math.floor(buckets[i].points)
end
return found
