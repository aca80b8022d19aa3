/**
 * What of Mantine's stylesheets this product can show: the stylesheet is most of a first visit's bytes, and Mantine's
 * have every size, side and colour. What is written in another size or colour than these has no look.
 */
import { readFileSync } from 'node:fs';
import { Alert, Button, Checkbox, Input, Radio } from '@mantine/core';
import type { Rule, Plugin as StylePlugin } from 'postcss';
import type { Plugin } from 'vite';

/** What theme.css says itself, whatever the scheme is: Mantine's would never be seen. */
const ours = new Set(
  readFileSync('app/theme.css', 'utf8')
    .match(/^ {2}--mantine-[\w-]+(?=:)/gm)
    ?.map((name) => name.trim()),
);
/** Every other colour's ten shades, those of ours that nothing names, and what is made of a colour but its ground. */
const otherColours =
  /^--mantine-color-(?:(?:pink|grape|violet|indigo|cyan|lime|yellow|orange|teal|green)-|red-[0-5]|blue-[1-35]|anchor|success|gray-filled|dark-filled-hover|\w+-(?:text|light|outline))|^--mantine-primary-color-(?:\d|contrast)/;
/** Of headings, of layers and of what adapts to the width, which are theme.css's to say. */
const otherMeasures =
  /^--mantine-(?:h\d|heading|z-index|breakpoint|line-height-|font-family-|radius-(?:md|lg|xl)|shadow-(?:xs|lg|xl))|^--(?:input-)?left-section/;
/** A component's measures in other sizes than `sm`. */
const otherSizes = /^--(?:button|input|section|checkbox|radio|label|alert)-.*-(?:xs|md|lg|xl)$|-compact-sm$/;
/** Other directions, sizes, sides and states; and pages within pages. */
const otherStates =
  /^:host|\[dir=|\[data-size=|-combined-clear-section|with-bottom-section|with-left-section|\[data-success\]|\[data-monospace\]|-webkit-|(?<!:not\()\[data-loading\]|label-position=['"]?left|data-variant=['"]?(?:filled|unstyled|outline|light)/;
/** Parts that no screen shows. */
const otherParts = [
  Button.classes.group,
  Button.classes.groupSection,
  Button.classes.loader,
  Button.classes.section,
  `${Button.classes.root}:where([data-with-right-section])`,
  `${Input.classes.section}[data-position='left']`,
  `${Button.classes.root}::before`,
  Checkbox.classes['input--light'],
  Checkbox.classes['input--outline'],
  Radio.classes['radio--light'],
  Radio.classes['radio--outline'],
  Input.classes.bottomSection,
  Input.classes.placeholder,
  Input.classes.success,
  Alert.classes.title,
  Alert.classes.icon,
  Alert.classes.label,
  Alert.classes.closeButton,
].map((part) => `.${part}`);
/**
 * Every element would be asked what stands before and after it, which is two more styles to find for each. Of what does,
 * nothing has both a width and a padding or border.
 */
const beforeAndAfter = ['*::before', '*::after'];
const isOther = (selector: string) =>
  otherStates.test(selector) || beforeAndAfter.includes(selector) || otherParts.some((part) => selector.includes(part));
/** The tick of a box has its colour by the variant that all boxes have. */
const isTick = ({ nodes, selectors }: Rule) =>
  nodes.some((node) => 'prop' in node && node.prop === '--checkbox-icon-color') &&
  selectors.join().includes("'filled'");

/** The sheet that every page has, also in a browser that runs no script of ours. */
const isCommon = (file: string | undefined) => file?.endsWith('/app/mantine.css');

/**
 * Of a selector with `:where(…)`, which a browser before Chrome 88 drops with its whole rule: the same without, one for
 * each choice in the brackets. They weigh more than they did: they stand before all others, which may outdo them still.
 */
function unwrapped(selector: string): string[] {
  const start = selector.indexOf(':where(');
  if (start < 0) return [selector];
  const choices = [''];
  let depth = 1;
  let place = start + ':where('.length;
  for (; depth > 0; place += 1) {
    const letter = selector[place];
    if (letter === undefined) throw new Error(`no closing bracket: ${selector}`);
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 1) choices.push('');
    else if (depth > 0) choices[choices.length - 1] += letter;
  }
  return choices.flatMap((choice) => unwrapped(selector.slice(0, start) + choice.trim() + selector.slice(place)));
}

/** What Chrome knows from 87 on, in the words of before; Mantine gives each of these one value. */
const sidesOf: Record<string, string[]> = {
  inset: ['top', 'right', 'bottom', 'left'],
  'inset-inline-start': ['left'],
  'inset-inline-end': ['right'],
  'padding-inline': ['padding-inline-start', 'padding-inline-end'],
  'margin-inline': ['margin-inline-start', 'margin-inline-end'],
};

const isMantine = (file: string | undefined) => file?.includes('/@mantine/core/styles/');

const slimming: StylePlugin = {
  postcssPlugin: 'mantine-css',
  Declaration(declaration) {
    // Nobody scales it: what is computed for each element anew is a length.
    declaration.value = declaration.value.replace(/calc\((-?[\d.]+rem) \* var\(--mantine-scale\)\)/g, '$1');
    if (!isMantine(declaration.source?.input.file)) return;
    const { prop, value } = declaration;
    if (ours.has(prop) || [otherColours, otherMeasures, otherSizes].some((other) => other.test(prop)))
      declaration.remove();
    // The dot of a radio is moved by half its size; Chrome knows this word from 104 on.
    if (prop === 'translate') declaration.assign({ prop: 'margin', value: 'calc(var(--radio-icon-size) / -2)' });
    // What the build takes apart by itself, but not around a variable.
    if (!value.includes('var(')) return;
    for (const part of sidesOf[prop] ?? []) declaration.cloneBefore({ prop: part });
    if (sidesOf[prop]) declaration.remove();
  },
  Rule(rule) {
    if (!isMantine(rule.source?.input.file) || isTick(rule)) return;
    const kept = rule.selectors.filter((selector) => !isOther(selector));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  },
  /** Once more, for browsers that do not know `:where`. */
  OnceExit(sheet, { AtRule }) {
    if (!isCommon(sheet.source?.input.file)) return;
    const fallback = new AtRule({ name: 'supports', params: 'not selector(:where(*))' });
    for (const rule of sheet.nodes)
      if (rule.type === 'rule' && rule.selector.includes(':where('))
        fallback.append(rule.clone({ selectors: rule.selectors.flatMap(unwrapped) }));
    sheet.prepend(fallback);
  },
};

export const slimMantine = (): Plugin => ({
  name: 'mantine-css',
  config: () => ({ css: { postcss: { plugins: [slimming] } } }),
});
