import { expect, test } from 'vitest';
import { lessonWords } from '../../app/grading/terms.ts';

const lesson = {
  name: '数学团课',
  classify_name: '培优',
  grade_name: '高一',
  sub_name: '数学',
  arrange_time: 1_795_086_000,
  time_name: '19:00-21:00',
};

test("homework's lesson is named with all its distinct parts", () => {
  const shown = { classify: true, grade: true };
  expect(lessonWords(lesson, shown, 'Asia/Shanghai')).toBe(
    '数学团课 · 培优 · 高一 · 数学 · 2026-11-19 周四 19:00-21:00',
  );
});

test("homework's lesson omits hidden and unknown parts", () => {
  const shown = { classify: false, grade: false };
  expect(lessonWords({ ...lesson, sub_name: '' }, shown, 'Asia/Shanghai')).toBe(
    '数学团课 · 2026-11-19 周四 19:00-21:00',
  );
});
