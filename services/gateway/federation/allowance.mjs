/**
 * What clients may send over one WebSocket beside operations, which are charged for themselves: pings, pongs,
 * completes, and frames of the protocol below.
 *
 * A socket has an allowance that refills; who exhausts it is closed. What is sent within it is charged too, in
 * points of its owner and network, so that opening many sockets does not get around it.
 */

/** Units: one for each message, and one for each started 4 KiB of it. */
const BYTES_PER_UNIT = 4096;
const CAPACITY = 600;
const REFILL_PER_SECOND = 100;
/** A message takes some 40 microseconds of processor time, a point pays for 3 ms. */
const UNITS_PER_POINT = 75;

/**
 * @param {() => void} pay  told of each point that is due
 * @param {() => number} [now]  milliseconds
 */
export function createAllowance(pay, now = () => performance.now()) {
  let left = CAPACITY;
  let at = now();
  let unpaid = 0;

  return {
    /**
     * Count a message.
     * @param {number} bytes
     * @returns {boolean} whether the socket may go on
     */
    take(bytes) {
      const units = 1 + Math.floor(bytes / BYTES_PER_UNIT);
      const moment = now();
      left = Math.min(CAPACITY, left + ((moment - at) * REFILL_PER_SECOND) / 1000) - units;
      at = moment;
      if (left < 0) return false;
      unpaid += units;
      for (; unpaid >= UNITS_PER_POINT; unpaid -= UNITS_PER_POINT) pay();
      return true;
    },
  };
}
