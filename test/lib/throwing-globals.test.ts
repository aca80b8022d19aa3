import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { throwingGlobals } from '../../app/build/throwing-globals.ts';

const checks = {
  isDecodable: 'decodeURIComponent(text)',
  isDecodableAddress: 'decodeURI(text)',
  isEncodable: 'encodeURIComponent(text)',
  isEncodableAddress: 'encodeURI(text)',
  isCharacter: 'String.fromCodePoint(text)',
  isAddress: 'new URL(text)',
  isPattern: "new RegExp(text, 'u')",
  isNumber: 'BigInt(text)',
  isJson: 'JSON.parse(text)',
  isZone: "new Intl.DateTimeFormat('en', { timeZone: text })",
};

describe('call made only for its exception', () => {
  it.each([false, true])('survives minification: %s', async (minify) => {
    const name = 'virtual:checks';
    const source = Object.entries(checks).map(
      ([check, call]) => `export const ${check} = (text) => { try { ${call}; return true; } catch { return false; } };`,
    );
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [
        { name, resolveId: (id) => (id === name ? id : null), load: (id) => (id === name ? source.join('\n') : null) },
        throwingGlobals(),
      ],
      build: { write: false, ssr: true, minify: minify && 'oxc', rolldownOptions: { input: name } },
    });
    const code = [built].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []))[0];
    if (code?.type !== 'chunk') throw new Error('Nothing was built.');
    const answers = await import(`data:text/javascript,${encodeURIComponent(code.code)}`);
    const unreadable = { isCharacter: -1, isEncodable: '\ud800', isEncodableAddress: '\ud800', isPattern: '(' };
    for (const check of Object.keys(checks)) {
      const text = unreadable[check as keyof typeof unreadable] ?? '%zz';
      expect(answers[check](text), check).toBe(false);
    }
  });
});
