/** Code that a document shows between fences, such as ```ts into server/notices/rules.ts. */
interface CodeBlock {
  language: string;
  /** What stands behind the language: the file that it is of or goes into, and where. */
  place: string | undefined;
  code: string;
}

export const codeBlocks = (document: string): CodeBlock[] =>
  [...document.matchAll(/^( *)```(\w+)(?: (.*))?\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', place, code = '']) => ({
      language,
      place,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
