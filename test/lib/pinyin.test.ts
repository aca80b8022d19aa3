import { pinyin } from 'pinyin-pro';
import { expect, it } from 'vitest';
import { allPinyinReadings, findPinyinMatch, pinyinLetters, pinyinOf } from '#server/platform/text/pinyin.ts';

it("pinyin knows every reading of a name's characters", () => {
  expect(pinyinOf('钱霖')).toBe('qian lin');
  expect(pinyinOf('单晓')).toBe('dan/shan/chan xiao');
  expect(pinyinOf('吕 Anna2')).toBe('lv _ a n n a 2');
});

it('pinyin matches initials, full syllables or a mix', () => {
  const spelled = (name: string, typed: string) => findPinyinMatch(pinyinOf(name), pinyinLetters(typed) ?? '-');
  for (const typed of ['ql', 'qianlin', 'qianl', 'qlin', 'QL', 'qian lin', "q'l", 'qianli']) {
    expect(spelled('钱霖', typed), typed).toEqual([0, 2]);
  }
  expect(spelled('钱霖', 'q')).toEqual([0, 1]);
  expect(spelled('钱霖', 'lin')).toEqual([1, 2]);
  for (const typed of ['lq', 'qianlinn', 'qial', 'ian', 'z']) expect(spelled('钱霖', typed), typed).toBeUndefined();
  // Both readings of a character match, and so do initials of two letters.
  expect([spelled('单晓', 'sx'), spelled('单晓', 'danxiao'), spelled('曾重', 'zengz')]).toEqual([
    [0, 2],
    [0, 2],
    [0, 2],
  ]);
  expect([spelled('张诗雨', 'zhshy'), spelled('张诗雨', 'zsy'), spelled('张诗雨', 'sy')]).toEqual([
    [0, 3],
    [0, 3],
    [1, 3],
  ]);
  expect([spelled('吕布', 'lvb'), spelled('吕布', 'lüb')]).toEqual([
    [0, 2],
    [0, 2],
  ]);
});

it('pinyin matches letters only', () => {
  for (const typed of ['', '钱', 'q1', 'a%', 'x'.repeat(41)]) expect(pinyinLetters(typed), typed).toBeUndefined();
});

it('pinyin equals the library for every character', () => {
  const han = Array.from({ length: 0x3134f }, (_, code) => String.fromCodePoint(code)).filter((character) =>
    /\p{Script=Han}/u.test(character),
  );
  const readingsOf = (character: string) => {
    const readings = pinyin(character, { multiple: true, toneType: 'none', type: 'array' })
      .map((reading) => reading.replaceAll('ü', 'v'))
      .filter((reading) => /^[a-z]+$/.test(reading));
    return [...new Set(readings)].join('/') || character;
  };
  expect(han.filter((character) => pinyinOf(character) !== readingsOf(character))).toEqual([]);
  expect(allPinyinReadings().length).toBeGreaterThan(20_000);
});
