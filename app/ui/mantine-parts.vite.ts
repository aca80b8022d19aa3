/**
 * Mantine's components bring along parts that no screen shows: groups, cards and indicators of choices, the loader of
 * a button, the closing of an alert, the variables that our stylesheet says itself. No bundler can see that nothing uses
 * them; here they are left out of the browser's build, 6 KB of every page with a script.
 */
import type { Plugin } from 'vite';

/** By the file that imports them, the files that are left out, named after what they export. */
const leftOut: Record<string, string[]> = {
  'Button/Button.mjs': ['Transition', 'Loader', 'ButtonGroup', 'ButtonGroupSection'],
  'Alert/Alert.mjs': ['CloseButton'],
  'Input/Input.mjs': ['Loader', 'InputClearButton', 'InputPlaceholder', 'InputSuccess'],
  'InputWrapper/InputWrapper.mjs': ['InputSuccess'],
  'Textarea/Textarea.mjs': ['Autosize'],
  'Radio/Radio.mjs': ['RadioGroup', 'RadioCard', 'RadioIndicator'],
  'Checkbox/Checkbox.mjs': ['CheckboxGroup', 'CheckboxCard', 'CheckboxIndicator'],
  'MantineProvider/MantineProvider.mjs': ['MantineCssVariables', 'MantineClasses'],
};

/** Where a file exports another name than its own. */
const exported: Record<string, string> = { Autosize: 'TextareaAutosize' };

/**
 * Of Mantine's 45 properties of style, taken apart for each of its elements, which has few or none: by what it has, and
 * not by all that it could have. A twentieth of a list's processor time.
 */
export const quickMantine = (): Plugin => ({
  name: 'quick-mantine',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/extract-style-props.mjs')) return undefined;
    const [, names] = /const \{ (.+), \.\.\.rest \} = others/.exec(code) ?? [];
    if (!names) throw new Error(`${id} names no properties of style any more`);
    return `
const names = new Set(${JSON.stringify(names.split(', '))});
export function extractStyleProps(others) {
  const styleProps = {};
  const rest = {};
  for (const name in others) {
    const value = others[name];
    if (!names.has(name)) rest[name] = value;
    else if (value !== undefined) styleProps[name] = value;
  }
  return { styleProps, rest };
}`;
  },
});

export function slimMantineParts(): Plugin {
  const prefix = '\0mantine-part:';
  return {
    name: 'mantine-parts',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId(source, importer) {
      const around = importer?.split('/@mantine/core/esm/')[1];
      const parts = Object.entries(leftOut).find(([file]) => around?.endsWith(`/${file}`))?.[1];
      const part = parts?.find((name) => source.endsWith(`/${name}.mjs`));
      return part && prefix + part;
    },
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const file = id.slice(prefix.length);
      const part = exported[file] ?? file;
      return [
        "import { createContext } from 'react';",
        // Drawn where nothing is to be seen of it: a button that does not load.
        `export const ${part} = () => null;`,
        `export const ${part}Context = /* @__PURE__ */ createContext(null);`,
      ].join('\n');
    },
  };
}
