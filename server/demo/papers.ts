/**
 * Adds questions in bulk: repeats the questions of the bank, with the name of an invented exam paper before each stem.
 */
import { addQuestion, type StoredQuestion } from './bank-rows.ts';
import { readData } from './data.ts';
import type { DemoStaff } from './people.ts';
import type { RowWriter } from './row-writer.ts';

const { cities, kinds } = readData<{ cities: string[]; kinds: string[] }>('papers.json');
const minute = 60;
const years = 20;
const minutesOfFiveYears = 5 * 365 * 24 * 60;

/** Rows that are buffered before they are written to the database. */
const atOnce = 4000;

export async function addQuestionsOfPapers(
  writer: RowWriter,
  bank: readonly StoredQuestion[],
  { owner, isPublic, count, now }: { owner: DemoStaff; isPublic: boolean; count: number; now: number },
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const question = bank[number % bank.length] as StoredQuestion;
    const paper = `（${paperOf(Math.floor(number / bank.length))}·第${1 + ((number * 7) % 24)}题）`;
    addQuestion(
      writer,
      { ...question, stem: question.stem.replace(/^(<p>)?/, `$1${paper}`) },
      {
        owner,
        isPublic,
        pointId: question.pointId,
        // Each question gets a minute of its own, as long as there are enough, in another order than the ids.
        updatedAt: now - (60 + ((number * 7919) % minutesOfFiveYears)) * minute,
      },
    );
    if (number % atOnce === 0) await writer.flush();
  }
}

/** Returns the name of an exam paper; the first 6,400 are distinct. */
function paperOf(number: number): string {
  const city = cities[number % cities.length];
  const kind = kinds[Math.floor(number / cities.length) % kinds.length];
  const year = 2026 - (Math.floor(number / cities.length / kinds.length) % years);
  return `${year}·${city}·${kind}`;
}
