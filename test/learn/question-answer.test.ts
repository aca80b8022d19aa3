import { expect, it } from 'vitest';
import { writtenOf } from '#app/learn/question-answer.ts';

it('takes text with pictures apart, and leaves text that only looks like it as it is', () => {
  const image = 'a.jpg';
  expect(writtenOf(JSON.stringify({ content: '解', images: [image] }))).toEqual({ content: '解', images: [image] });
  for (const text of ['', '解', '{1,2}', '{}', '{"x":1}', '{"content":']) {
    expect(writtenOf(text)).toEqual({ content: text, images: [] });
  }
});
