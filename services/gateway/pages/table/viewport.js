/** Pan and zoom of a drawing: by dragging, by wheel, by two fingers. */
import { useRef, useState } from 'preact/hooks';

const CLOSEST = 4;
const DRAG_PX = 5;

/** @param {{ x: number, y: number, width: number, height: number }} whole  of the drawing, in its own units */
export function useViewport({ x: left, y: top, width, height }) {
  const whole = { x: left, y: top, width, height };
  const [box = whole, setBox] = useState(); // of its own once it was moved: a drawing may grow
  const frame = useRef();
  const fingers = useRef(new Map());
  const moved = useRef(0);

  /** Where an event lies, in the drawing's units. */
  function spot({ clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(frame.current.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }

  /** Show `factor` times as much around a point that stays where it is. */
  function zoom(factor, around) {
    setBox((now = whole) => {
      const by = Math.min(Math.max(factor, CLOSEST / now.width), (1.5 * width) / now.width);
      const { x, y } = around ?? { x: now.x + now.width / 2, y: now.y + now.height / 2 };
      return { x: x - (x - now.x) * by, y: y - (y - now.y) * by, width: now.width * by, height: now.height * by };
    });
  }

  const handlers = {
    down(event) {
      if (fingers.current.size === 0) moved.current = 0;
      fingers.current.set(event.pointerId, event);
    },
    move(event) {
      const before = fingers.current.get(event.pointerId);
      if (!before) return;
      fingers.current.set(event.pointerId, event);
      moved.current += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (moved.current > DRAG_PX) frame.current.setPointerCapture(event.pointerId);
      const from = spot(before);
      const to = spot(event);
      const share = 1 / fingers.current.size;
      setBox((now = whole) => ({ ...now, x: now.x - (to.x - from.x) * share, y: now.y - (to.y - from.y) * share }));
      const other = [...fingers.current.values()].find((one) => one.pointerId !== event.pointerId);
      if (other) {
        const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        zoom(apart(before) / Math.max(apart(event), 1), spot(other));
      }
    },
    up(event) {
      fingers.current.delete(event.pointerId);
    },
    wheel(event) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, spot(event));
    },
    /** Whether the pointer that was lifted last has dragged rather than tapped. */
    dragged: () => moved.current > DRAG_PX,
  };
  return { box, frame, zoom, whole, fit: () => setBox(undefined), spot, handlers };
}
