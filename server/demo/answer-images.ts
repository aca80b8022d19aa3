/** Photographs of students' answers: a few pages that graders can annotate. */

import sharp from 'sharp';
import { answerStatus } from '#server/grading/rules.ts';
import { subjectiveAnswer } from '#server/grading/scoring.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { seededRandom } from './random.ts';

/** Sizes of the pages: upright, lying, and upright only by the camera's EXIF flag. */
const pages = [
  { width: 900, height: 1200, orientation: 1 },
  { width: 1200, height: 800, orientation: 1 },
  { width: 1200, height: 900, orientation: 6 },
] as const;

/** Every third written answer that waits for a grader is on paper. */
const answersPerPaper = 3;

/** Stores the photographs; returns their paths. */
export function storeAnswerImages(storage: Storage): Promise<string[]> {
  return Promise.all(
    pages.map(async ({ width, height, orientation }, index) => {
      const bytes = await sharp(Buffer.from(handwriting(width, height, index + 1)))
        .withMetadata({ orientation })
        .jpeg({ quality: 70 })
        .toBuffer();
      const stored = await storage.put(
        (async function* () {
          yield bytes;
        })(),
        { extension: 'jpg', limit: bytes.byteLength },
      );
      if (!('ok' in stored)) throw new Error(`A demo file was refused: ${stored.message}`);
      return `/files/${stored.ok.key}`;
    }),
  );
}

/** Draws lined paper with random strokes, which needs no font and copies nobody's handwriting. */
function handwriting(width: number, height: number, seed: number): string {
  const random = seededRandom(seed);
  const line = 60;
  const rules: string[] = [];
  const strokes: string[] = [];
  for (let y = line * 2; y < height - line; y += line) {
    rules.push(`M60 ${y}H${width - 60}`);
    const end = width * (0.4 + 0.5 * random.next());
    for (let x = 90; x < end; x += 34 + 14 * random.next()) {
      if (random.chance(0.12)) continue;
      const at = () => `${(x + 24 * random.next()).toFixed(0)} ${(y - 8 - 32 * random.next()).toFixed(0)}`;
      strokes.push(`M${at()}Q${at()} ${at()}M${at()}L${at()}`);
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#f4f1e8"/>
    <path d="${rules.join('')}" stroke="#b9c7d6" stroke-width="2"/>
    <path d="${strokes.join('')}" stroke="#2b3a67" stroke-width="3.5" fill="none" stroke-linecap="round"/>
  </svg>`;
}

/** Attaches one to three photographs to answers that wait for a grader. */
export async function addAnswerImages(db: Database, paths: readonly string[]): Promise<void> {
  const waiting = await db
    .selectFrom('answer')
    .select(['id', 'user_answer'])
    .where('status', '=', answerStatus.waiting)
    .orderBy('id')
    .execute();
  for (const [index, { id, user_answer }] of waiting.entries()) {
    if (index % answersPerPaper !== 0) continue;
    const turn = index / answersPerPaper;
    const images = paths.slice(0, 1 + (turn % paths.length));
    // Half of the photographed answers have no typed text.
    const { content, format } = subjectiveAnswer(turn % 2 === 0 ? '' : user_answer);
    await db
      .updateTable('answer')
      .set({
        user_answer: JSON.stringify(format === 'html' ? { content, images, format } : { content, images }),
        answer_key: null,
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Every sixth comment on an exam answer gets a picture attached. */
const commentsPerAttachment = 6;

/** Attaches a picture of a model solution to some comments on exam answers. */
export async function addReviewAttachments(db: Database, paths: readonly string[]): Promise<void> {
  const commented = await db
    .selectFrom('exam_answer')
    .select('id')
    .where('review_comment', '!=', '')
    .orderBy('id')
    .execute();
  const chosen = commented.filter((_, index) => index % commentsPerAttachment === 0).map(({ id }) => id);
  const attachments = paths.slice(0, 1).map((url) => ({ name: '解答示范.jpg', url, ext: 'jpg' }));
  await db
    .updateTable('exam_answer')
    .set({ review_attachments: JSON.stringify(attachments) })
    .where('id', 'in', chosen.slice(0, 500))
    .execute();
}
