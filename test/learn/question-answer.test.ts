import { expect, it } from 'vitest';
import { parseText } from '#app/learn/question-answer.ts';

it('answer text is split from pictures, and look-alikes stay text', () => {
  const image = 'a.jpg';
  expect(parseText(JSON.stringify({ content: '解', images: [image] }))).toEqual({ content: '解', images: [image] });
  for (const text of ['', '解', '{1,2}', '{}', '{"x":1}', '{"content":']) {
    expect(parseText(text)).toEqual({ content: text, images: [] });
  }
});
