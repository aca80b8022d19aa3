import { describe, expect, it } from 'vitest';
import { parsePointLines } from '#server/questions/point-lines.ts';

const readLines = (text: string, above?: number) => {
  const result = parsePointLines(text, above);
  return 'fault' in result ? result.fault : result.points.map(({ name, parent }) => [name, parent]);
};

describe('indented point lines', () => {
  it('belong to the nearest less indented line', () => {
    expect(readLines('代数\n  方程\n    一元一次\n  不等式\n\n几何\n\t三角形')).toEqual([
      ['代数', undefined],
      ['方程', 0],
      ['一元一次', 1],
      ['不等式', 0],
      ['几何', undefined],
      ['三角形', 4],
    ]);
  });

  it('accept tabs, wide spaces, any line ends, and a common indent', () => {
    const points = [
      ['甲', undefined],
      ['乙 丙', 0],
    ];
    expect(readLines('甲\r\n\u3000\u3000乙  丙  ')).toEqual(points);
    expect(readLines('\t甲\r\t\t乙 丙')).toEqual(points);
    expect(readLines('  甲\n    乙 丙')).toEqual(points);
  });

  it('report errors by line', () => {
    expect(readLines(' \n\n')).toBe('请填写知识点，每行一个');
    expect(readLines('甲\n    乙\n  丙')).toBe('第3行：缩进与上面各行都对不齐');
    expect(readLines('  甲\n乙')).toBe('第2行：缩进与上面各行都对不齐');
    expect(readLines('甲\n  乙\n丙\n  乙\n  ｂ\n  B')).toBe('第6行：与第5行重复');
    expect(readLines(`甲\n${'长'.repeat(250)}\n甲`)).toBe('第2行：名称不能超过100个字；第3行：与第1行重复');
    expect(readLines('甲\n 乙', 9)).toBe('第2行：知识点最多10级');
    expect(readLines(Array.from({ length: 1001 }, (_, at) => `点${at}`).join('\n'))).toBe('一次最多添加1000个知识点');
    expect(readLines(Array.from({ length: 11 }, () => '同').join('\n'))).toMatch(/；第9行：与第1行重复；还有2处$/);
  });
});
