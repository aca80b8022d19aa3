/**
 * Word import of phonetic guides, lowered characters and capitals (python-mammoth #76, PHPWord #2727); also of 选择题
 * with several answers, and of questions without a difficulty.
 */
import { expect, it } from 'vitest';
import { readWordQuestions } from '#server/questions/import/word.ts';
import { paragraph, paragraphs, run, wordFile } from '../support/office-files.ts';

const ruby = (base: string, reading: string) =>
  `<w:r><w:ruby><w:rt>${run(reading)}</w:rt><w:rubyBase>${run(base)}</w:rubyBase></w:ruby></w:r>`;

async function readQuestion(stem: string, type = '单选题', more = '【难度】2') {
  const before = paragraphs(`【题型】${type}\n【题干】`);
  const after = paragraphs(`【选项】\nA. 甲\nB. 乙\n【答案】${type === '选择题' ? 'AB' : 'A'}\n${more}`);
  const preview = await readWordQuestions(wordFile({ body: before + paragraph(stem) + after }), {
    savePicture: async () => null,
  });
  if ('refused' in preview) throw new Error(preview.refused);
  const [question] = preview.questions;
  if (!question) throw new Error('no question');
  return question;
}

it('a Word import reports a phonetic guide that it drops', async () => {
  const { losses, draft } = await readQuestion(run('读音：') + ruby('长', 'zhǎng') + run('大'));
  expect(draft.ques_stem).toContain('长大');
  expect(losses).toEqual([{ where: '第3行', message: '字上的拼音（拼音指南）无法保留，请写在括号里' }]);
});

it('a Word import keeps subscripts, superscripts and capitals made by formats', async () => {
  const { losses, draft } = await readQuestion(
    `${run('H')}${run('2', '<w:position w:val="-6"/>')}${run('O，x')}${run('2', '<w:position w:val="8"/>')}${run('abc', '<w:caps/>')}`,
  );
  expect(draft.ques_stem).toContain('H<sub>2</sub>O，x<sup>2</sup>ABC');
  expect(losses).toEqual([]);
});

it('a Word import reads 选择题 as multiple choice if it has several right answers', async () => {
  const { errors, draft } = await readQuestion(run('哪些对'), '选择题');
  expect([errors, draft.ques_type]).toEqual([[], 3]);
});

it('a Word import gives a question without a difficulty three stars, and says so', async () => {
  const { errors, draft, losses } = await readQuestion(run('哪个对'), '单选题', '【解析】略');
  expect([errors, draft.facility_value]).toEqual([[], 3]);
  expect(losses.map(({ message }) => message)).toEqual(['没有填写难度，按3星导入，请核对']);
});
