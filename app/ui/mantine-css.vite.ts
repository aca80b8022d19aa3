/**
 * What of Mantine's stylesheets this product can show: the stylesheet is most of a first visit's bytes, and Mantine's
 * have every size, side and colour. What is written in another size or colour than these has no look.
 */
import { Alert, Button, Checkbox, Input, Radio } from '@mantine/core';
import type { Plugin } from 'vite';

interface Node {
  parent: Node | undefined;
  source?: { input: { file?: string | undefined } } | undefined;
  remove(): void;
}

/** Of postcss, as far as it is used here: it comes with Vite. */
interface Declaration extends Node {
  prop: string;
}

interface Rule extends Node {
  selectors: string[];
  nodes: Partial<Declaration>[];
}

/** Every other colour's ten shades, and what is made of a colour but its ground. */
const otherColours =
  /^--mantine-color-(?:(?:pink|grape|violet|indigo|cyan|lime|yellow|orange|teal|green)-|\w+-(?:text|light|outline))|^--mantine-primary-color-(?:\d|contrast)/;
/** Of headings, of layers and of what adapts to the width, which are theme.css's to say. */
const otherMeasures = /^--mantine-(?:h\d|heading|z-index|breakpoint|line-height-|shadow-(?:xs|lg|xl))/;
/** A component's measures in other sizes than `sm`. */
const otherSizes = /^--(?:button|input|section|checkbox|radio|label|alert)-.*-(?:xs|md|lg|xl)$|-compact-sm$/;
/** Other directions, sizes, sides and states. */
const otherStates =
  /\[dir=|\[data-size=|-combined-clear-section|with-bottom-section|with-left-section|\[data-success\]|-webkit-|\[data-loading\](?!\))|label-position=['"]?left|data-variant=['"]?(?:filled|unstyled|outline|light)/;
/** Parts that no screen shows. */
const otherParts = [
  Button.classes.group,
  Button.classes.groupSection,
  Button.classes.loader,
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
const isOther = (selector: string) => otherStates.test(selector) || otherParts.some((part) => selector.includes(part));
/** The tick of a box has its colour by the variant that all boxes have. */
const isTick = ({ nodes, selectors }: Rule) =>
  nodes.some(({ prop }) => prop === '--checkbox-icon-color') && selectors.join().includes("'filled'");

const isMantine = (file: string | undefined) => file?.includes('/@mantine/core/styles/');

const slimming = {
  postcssPlugin: 'mantine-css',
  Declaration(declaration: Declaration) {
    if (!isMantine(declaration.source?.input.file)) return;
    if ([otherColours, otherMeasures, otherSizes].some((other) => other.test(declaration.prop))) declaration.remove();
  },
  Rule(rule: Rule) {
    if (!isMantine(rule.source?.input.file) || isTick(rule)) return;
    const kept = rule.selectors.filter((selector) => !isOther(selector));
    if (kept.length === 0) rule.remove();
    else if (kept.length < rule.selectors.length) rule.selectors = kept;
  },
};

export const slimMantine = (): Plugin => ({
  name: 'mantine-css',
  config: () => ({ css: { postcss: { plugins: [slimming] } } }),
});
