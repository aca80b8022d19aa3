/** Moves table rows by a drag handle. Keyboard users have buttons in each row instead. */
import { type PointerEvent as ReactPointerEvent, type RefObject, useCallback } from 'react';
import { isComposing } from '../../lib/composing.ts';

/** A row that is dragged this close to the window's edge, in pixels, scrolls the page. */
const scrollEdge = 60;

/**
 * Returns the handler that starts dragging. Rows have the attribute `data-key`, handles `data-handle`. `onMove` gets
 * the row's key and its new index.
 */
export function useDragOrder(
  body: RefObject<HTMLTableSectionElement | null>,
  onMove: (key: number, index: number) => void,
): (event: ReactPointerEvent) => void {
  return useCallback(
    (event: ReactPointerEvent) => {
      const handle = (event.target as Element).closest<HTMLElement>('[data-handle]');
      const row = handle?.closest<HTMLElement>('[data-key]');
      if (!handle || !row || event.button !== 0) return;
      event.preventDefault();
      const ending = new AbortController();
      const { signal } = ending;
      let pointerY = event.clientY;
      let target: number | undefined;

      const rows = () => [...(body.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])];
      const clearMarks = () => {
        for (const one of rows()) delete one.dataset.drop;
      };
      const follow = () => {
        const others = rows().filter((one) => one !== row);
        const below = others.findIndex((one) => {
          const { top, height } = one.getBoundingClientRect();
          return pointerY < top + height / 2;
        });
        target = below < 0 ? others.length : below;
        clearMarks();
        const marked = below < 0 ? others.at(-1) : others[below];
        if (marked) marked.dataset.drop = below < 0 ? 'after' : 'before';
      };
      const scroll = () => {
        if (signal.aborted) return;
        const by = pointerY < scrollEdge ? -12 : pointerY > window.innerHeight - scrollEdge ? 12 : 0;
        if (by !== 0) {
          window.scrollBy(0, by);
          follow();
        }
        requestAnimationFrame(scroll);
      };
      const end = (moves: boolean) => {
        ending.abort();
        clearMarks();
        delete row.dataset.dragged;
        if (moves && target !== undefined) onMove(Number(row.dataset.key), target);
      };

      handle.setPointerCapture(event.pointerId);
      row.dataset.dragged = '';
      handle.addEventListener(
        'pointermove',
        (move) => {
          pointerY = move.clientY;
          follow();
        },
        { signal },
      );
      handle.addEventListener('pointerup', () => end(true), { signal });
      handle.addEventListener('pointercancel', () => end(false), { signal });
      window.addEventListener('keydown', (pressed) => pressed.key === 'Escape' && !isComposing(pressed) && end(false), {
        signal,
      });
      requestAnimationFrame(scroll);
    },
    [body, onMove],
  );
}
