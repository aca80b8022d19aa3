/** Finds layout faults of a page at a given width. */
import type { Page } from 'playwright-core';

/** Window sizes of a phone, a tablet and a school's PC. `touch` is true for touch screens. */
export const screenSizes = [
  { width: 390, height: 844, touch: true },
  { width: 820, height: 1180, touch: true },
  { width: 1366, height: 768, touch: false },
] as const;

export type ScreenSize = (typeof screenSizes)[number];

/** Returns a function that emulates another window size and pointer type, as long as the page is open. */
export async function resizable(page: Page): Promise<(size: ScreenSize) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  let touched = false;
  return async ({ width, height, touch }) => {
    if (touch !== touched) await session.send('Emulation.setTouchEmulationEnabled', { enabled: touch });
    touched = touch;
    await page.setViewportSize({ width, height });
  };
}

/** Makes the page invisible but keeps its layout. The browser needs a fifth less time without painting. */
export const drawNothing = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { opacity: 0 !important }');
    document.adoptedStyleSheets = [sheet];
  });

/**
 * Returns one line per fault: a page wider than the screen, a control too small (WCAG 2.2, 2.5.8; on touch 2.5.5), one
 * that overlaps another, one that a table pushes out of sight.
 */
export function layoutFaults(page: Page, touch: boolean): Promise<string[]> {
  return page.evaluate(
    (least) => {
      interface Box {
        left: number;
        top: number;
        right: number;
        bottom: number;
      }
      const root = document.documentElement;
      const faults: string[] = [];
      const nameOf = (element: Element) => {
        const words = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
        const name = element.getAttribute('name') ?? '';
        return `<${element.tagName.toLowerCase()}${name && ` ${name}`}> ${words.slice(0, 24)}`;
      };
      if (root.scrollWidth > root.clientWidth) {
        const widest = [...document.body.querySelectorAll('*')]
          .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1)
          .filter((element) => !element.parentElement?.closest('svg'))
          .filter((element) => {
            for (let around = element.parentElement; around && around !== document.body; around = around.parentElement)
              if (getComputedStyle(around).overflowX !== 'visible') return false;
            return true;
          })
          .at(-1);
        faults.push(`wider than the screen: ${root.scrollWidth}, by ${widest?.outerHTML.slice(0, 140)}`);
      }

      const dialog = document.querySelector('dialog[open]');
      const controls = [
        ...(dialog ?? document).querySelectorAll<HTMLElement>(
          'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [contenteditable=true]',
        ),
      ].filter((element) => !element.closest('[inert], .visually-hidden') && element.checkVisibility());

      /** Cached, because elements in the same box share all ancestors. */
      const known = new Map<Element, { overflow: string; position: string }>();
      const styleOf = (element: Element) => {
        const before = known.get(element);
        if (before) return before;
        const { overflowX, position } = getComputedStyle(element);
        const style = { overflow: overflowX, position };
        known.set(element, style);
        return style;
      };
      /** Returns the part of a box that is visible after all clipping. Undefined if nothing is left. */
      const visibleBox = (element: Element, box: Box): Box | undefined => {
        let { left, top, right, bottom } = box;
        const own = getComputedStyle(element);
        if (own.visibility !== 'visible' || own.opacity === '0') return undefined;
        let isFixed = own.position === 'fixed';
        for (let around = element.parentElement; around && !isFixed; around = around.parentElement) {
          const style = styleOf(around);
          if (style.overflow !== 'visible' && around !== document.body && around !== root) {
            const cut = around.getBoundingClientRect();
            left = Math.max(left, cut.left);
            top = Math.max(top, cut.top);
            right = Math.min(right, cut.right);
            bottom = Math.min(bottom, cut.bottom);
          }
          isFixed = style.position === 'fixed';
        }
        return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : undefined;
      };
      /** Includes the label of a checkbox, because a press on the label ticks the box too. */
      const targetOf = (element: HTMLElement): Box => {
        const boxes: Box[] = [element.getBoundingClientRect()];
        const more = getComputedStyle(element, '::after');
        if (more.content !== 'none' && more.position === 'absolute') {
          const { left, top, width, height } = element.getBoundingClientRect();
          const [wide, high] = [Number.parseFloat(more.width), Number.parseFloat(more.height)];
          const [x, y] = [left + width / 2, top + height / 2];
          boxes.push({ left: x - wide / 2, top: y - high / 2, right: x + wide / 2, bottom: y + high / 2 });
        }
        if (element instanceof HTMLInputElement && /checkbox|radio|file/.test(element.type))
          for (const label of element.labels ?? []) boxes.push(label.getBoundingClientRect());
        return {
          left: Math.min(...boxes.map(({ left }) => left)),
          top: Math.min(...boxes.map(({ top }) => top)),
          right: Math.max(...boxes.map(({ right }) => right)),
          bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
        };
      };
      /** A link within text is as high as its line. */
      const isInline = (element: HTMLElement) =>
        getComputedStyle(element).display === 'inline' &&
        (element.closest('[data-written]') !== null ||
          [...(element.parentElement?.childNodes ?? [])].some(
            (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim().length > 1,
          ));
      const layerOf = (element: Element): Element | null => {
        for (let around: Element | null = element; around; around = around.parentElement)
          if (/sticky|fixed|absolute/.test(styleOf(around).position)) return around;
        return null;
      };

      const shown = controls.flatMap((element) => {
        const box = element.getBoundingClientRect();
        if (box.width === 0 || box.height === 0) return [];
        const visible = visibleBox(element, box);
        const style = getComputedStyle(element);
        if (style.visibility !== 'visible' || style.opacity === '0') return [];
        return [{ element, box, visible, target: targetOf(element), layer: layerOf(element) }];
      });
      /** WCAG's exception for small targets: a 24-pixel circle around the target touches no other target. */
      const standsApart = (element: HTMLElement, { left, top, right, bottom }: Box, layer: Element | null) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        return shown.every(({ element: other, target, layer: its }) => {
          if (its !== layer || other.contains(element) || element.contains(other)) return true;
          const across = Math.max(target.left - x, x - target.right, 0);
          const along = Math.max(target.top - y, y - target.bottom, 0);
          const isSmall = Math.min(target.right - target.left, target.bottom - target.top) < 24;
          const [ox, oy] = [(target.left + target.right) / 2, (target.top + target.bottom) / 2];
          return Math.hypot(across, along) >= 12 && !(isSmall && Math.hypot(ox - x, oy - y) < 24);
        });
      };
      for (const { element, target, box, visible, layer } of shown) {
        const [width, height] = [target.right - target.left, target.bottom - target.top];
        if (
          Math.min(width, height) < least - 0.5 &&
          !isInline(element) &&
          !(least === 24 && standsApart(element, target, layer))
        )
          faults.push(`small: ${Math.round(width)}×${Math.round(height)} ${nameOf(element)}`);
        const scrolling = element.closest('section[tabindex="0"], [data-scrolls]');
        const acts = element.closest('td')?.hasAttribute('data-actions');
        if (scrolling && acts && box.right > scrolling.getBoundingClientRect().right + 1)
          faults.push(`out of sight in its table: ${nameOf(element)}`);
        if (!scrolling && visible && (visible.right > root.clientWidth + 1 || visible.left < -1))
          faults.push(`beyond the screen: ${nameOf(element)}`);
      }
      const inSight = shown.flatMap(({ visible, ...one }) => (visible ? [{ ...one, visible }] : []));
      inSight.sort((one, other) => one.visible.top - other.visible.top);
      for (const [place, one] of inSight.entries()) {
        for (const other of inSight.slice(place + 1)) {
          if (other.visible.top >= one.visible.bottom - 1) break;
          if (one.layer !== other.layer || one.element.contains(other.element) || other.element.contains(one.element))
            continue;
          const across =
            Math.min(one.visible.right, other.visible.right) - Math.max(one.visible.left, other.visible.left);
          const along = Math.min(one.visible.bottom, other.visible.bottom) - other.visible.top;
          if (across > 2 && along > 2)
            faults.push(`over each other: ${nameOf(one.element)} and ${nameOf(other.element)}`);
        }
      }
      return faults;
    },
    touch ? 44 : 24,
  );
}
