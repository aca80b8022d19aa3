/**
 * Serves the pictures in questions, answers and notices to learners. In a text for learners `/files/…` becomes
 * `/api/app/files/…`.
 */
import { call } from '#server/platform/calls/call.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import { FileQuery, readFile } from '#server/platform/files/contract.ts';
import { missingStoredFile, sendStored } from '#server/platform/files/send-file.ts';
import { handleApplication } from './application.ts';

const readLearnerFile = call({
  method: 'GET',
  path: '/api/app/files/:year/:month/:name',
  title: '读取图片与附件',
  description:
    '题目、答案、公告中的 /files/… 由此取得，文件名不可猜测。可分段读取（Range），没有变化时为 304。download=1 时作为附件。',
  params: readFile.params,
  query: FileQuery,
  file: true,
  answer: readFile.answer,
  example: { params: { year: '2026', month: '11', name: 'k2jd8sqmx0awb4tz.jpg' } },
});

export const learnerFileCalls = [
  handleApplication(readLearnerFile, async ({ params, query, storage, request }) => {
    const response = await sendStored(storage, params, { ...query, request });
    return response ?? missing(missingStoredFile);
  }),
];
