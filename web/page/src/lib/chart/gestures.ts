/* What hands do to a picture: point at, click, drag it along, draw a frame (Shift), zoom by wheel,
   pinch, double click and keys. Parts that are dragged themselves have data-grab and are left alone. */
import type { Plane } from './plane.svelte';

export type Frame = { left: number; top: number; right: number; bottom: number };

export type Hands = {
  plane: Plane;
  /* where the plane begins in the element */
  margin: { left: number; top: number };
  point?: (px: number, py: number) => void;
  leave?: () => void;
  click?: (px: number, py: number) => void;
  frame?: (frame: Frame | null) => void;
};

const MOVED = 4; /* pixels; less is a click with an unsteady hand */
const PAGE_SCROLLS = 300; /* ms: a page that is being scrolled is not stopped by a picture under the pointer */

let scrolledElsewhere = 0;

/* Keys that mean the same in every picture. Was it one of them? */
export function planeKey(plane: Plane, event: KeyboardEvent): boolean {
  const step = 60;
  const moves: Record<string, [number, number]> = {
    ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step],
  };
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === '+' || event.key === '=') plane.zoom(0.7);
  else if (event.key === '-' || event.key === '_') plane.zoom(1 / 0.7);
  else if (event.key === '0') plane.reset();
  else if (event.shiftKey && moves[event.key]) plane.pan(...(moves[event.key] as [number, number]));
  else return false;
  return true;
}

/* A mouse tells of itself up to a thousand times a second, a picture is drawn sixty times: what came in between is done at
   once, before the next frame. */
function beforeFrame(work: () => void): { ask: () => void; now: () => void; forget: () => void } {
  let asked = 0;
  const now = () => {
    cancelAnimationFrame(asked);
    asked = 0;
    work();
  };
  return {
    ask: () => void (asked ||= requestAnimationFrame(now)),
    now: () => void (asked !== 0 && now()),
    forget: () => cancelAnimationFrame(asked),
  };
}

export function gestures(hands: Hands): (node: Element) => () => void {
  const { plane, margin } = hands;
  let due = { dx: 0, dy: 0, factor: 1, at: { x: 0, y: 0 }, point: null as { x: number; y: number } | null };
  const frame = beforeFrame(() => {
    const { dx, dy, factor, at, point } = due;
    due = { dx: 0, dy: 0, factor: 1, at, point: null };
    if (dx !== 0 || dy !== 0) plane.pan(dx, dy);
    if (factor !== 1) plane.zoom(factor, at.x, at.y);
    if (point) hands.point?.(point.x, point.y);
  });
  const down = new Map<number, { x: number; y: number }>();
  let start: { x: number; y: number } | null = null;
  let dragging: 'pan' | 'frame' | 'pinch' | null = null;

  return (element) => {
    const node = element as HTMLElement;

    function place(event: { clientX: number; clientY: number }): { x: number; y: number } {
      const box = node.getBoundingClientRect();
      return { x: event.clientX - box.left - margin.left, y: event.clientY - box.top - margin.top };
    }

    function frameTo(at: { x: number; y: number }): Frame | null {
      if (!start) return null;
      const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
      return {
        left: within(Math.min(start.x, at.x), plane.width),
        right: within(Math.max(start.x, at.x), plane.width),
        top: within(Math.min(start.y, at.y), plane.height),
        bottom: within(Math.max(start.y, at.y), plane.height),
      };
    }

    function press(event: PointerEvent): void {
      if (event.button !== 0 || (event.target as Element).closest('[data-grab], button, a, input')) return;
      const at = place(event);
      down.set(event.pointerId, at);
      if (down.size === 1) start = at;
      dragging = down.size === 2 ? 'pinch' : null;
    }

    function pinch(id: number, at: { x: number; y: number }): void {
      const [other] = [...down].filter(([key]) => key !== id).map(([, value]) => value);
      const before = down.get(id);
      if (!other || !before) return;
      const length = (a: { x: number; y: number }) => Math.max(20, Math.hypot(a.x - other.x, a.y - other.y));
      plane.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
      plane.zoom(length(before) / length(at), (at.x + other.x) / 2, (at.y + other.y) / 2);
    }

    function move(event: PointerEvent): void {
      const at = place(event);
      const before = down.get(event.pointerId);
      if (!before) {
        if (event.pointerType === 'touch' || (event.target as Element).closest('[data-grab]')) return;
        due.point = at;
        frame.ask();
        return;
      }
      if (!dragging && start && Math.hypot(at.x - start.x, at.y - start.y) > MOVED) {
        dragging = event.shiftKey ? 'frame' : 'pan';
        node.setPointerCapture(event.pointerId);
        due.point = null;
        hands.leave?.();
      }
      if (dragging === 'pan') {
        due.dx += at.x - before.x;
        due.dy += at.y - before.y;
        frame.ask();
      }
      if (dragging === 'frame') hands.frame?.(frameTo(at));
      if (dragging === 'pinch') pinch(event.pointerId, at);
      if (dragging) down.set(event.pointerId, at);
    }

    function lift(event: PointerEvent): void {
      if (!down.delete(event.pointerId)) return;
      frame.now();
      const at = place(event);
      if (dragging === 'frame') {
        const frame = frameTo(at);
        hands.frame?.(null);
        if (frame) plane.frame(frame.left, frame.top, frame.right, frame.bottom);
      } else if (!dragging && event.type === 'pointerup') {
        if (event.pointerType === 'touch') hands.point?.(at.x, at.y);
        hands.click?.(at.x, at.y);
      }
      if (down.size === 0) dragging = null;
    }

    function wheel(event: WheelEvent): void {
      if (event.timeStamp - scrolledElsewhere < PAGE_SCROLLS) {
        scrolledElsewhere = event.timeStamp;
        return;
      }
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      const speed = event.ctrlKey ? 0.008 : 0.0018;
      const at = place(event);
      due.factor *= Math.exp(event.deltaY * lines * speed);
      due.at = at;
      frame.ask();
    }

    function outside(event: WheelEvent): void {
      if (!node.contains(event.target as Node)) scrolledElsewhere = event.timeStamp;
    }

    function closer(event: MouseEvent): void {
      if ((event.target as Element).closest('[data-grab], button')) return;
      const at = place(event);
      plane.zoom(0.5, at.x, at.y);
    }

    function key(event: KeyboardEvent): void {
      if ((event.target as Element).closest('input, select, textarea, [data-grab]')) return;
      if (planeKey(plane, event)) event.preventDefault();
    }

    function away(): void {
      due.point = null;
      hands.leave?.();
    }
    const listeners: [string, (event: never) => void][] = [
      ['pointerdown', press], ['pointermove', move], ['pointerup', lift], ['pointercancel', lift],
      ['pointerleave', away], ['dblclick', closer], ['keydown', key],
    ];
    for (const [name, listener] of listeners) node.addEventListener(name, listener as EventListener);
    node.addEventListener('wheel', wheel, { passive: false });
    addEventListener('wheel', outside, { passive: true, capture: true });
    return () => {
      frame.forget();
      for (const [name, listener] of listeners) node.removeEventListener(name, listener as EventListener);
      node.removeEventListener('wheel', wheel);
      removeEventListener('wheel', outside, { capture: true });
    };
  };
}
