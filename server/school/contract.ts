/** Calls that list entries of the school's catalogue as choices of filters. */
import * as v from 'valibot';
import { IdAndName } from '#server/platform/calls/fields.ts';
import { call } from './call.ts';

const options = (path: string, title: string) => call({ method: 'GET', path, title, answer: v.array(IdAndName) });
const assistantOptions = (path: string, title: string) =>
  call({ method: 'GET', path: { assist: path }, title, answer: v.array(IdAndName) });

export const classifyOptions = options('commonFilter/classify', '分类选项');
export const gradeOptions = options('commonFilter/grade', '年级选项');
export const subjectOptions = assistantOptions('commonFilter/subject', '科目选项');
export const roomOptions = assistantOptions('commonFilter/room', '教室选项');
