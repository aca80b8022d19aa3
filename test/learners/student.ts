/** Simulated student that only uses the learner API: takes an exam or does homework. */
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { UserAnswer } from '#server/grading/submitted-answer.ts';
import type { Answered, Asked, Line } from './line.ts';

/** Acknowledgements that a student received. */
export interface Acknowledged {
  uid: number;
  kind: 'exam' | 'homework';
  recordId: number;
  started: boolean;
  /** Answers by question id, in their stored form. */
  answers: Map<number, string>;
  /** Number of acknowledged saves. */
  saves: number;
  pictures: string[];
  /** Undefined if the submission was not acknowledged. */
  report: { id: number; submitTime: number } | undefined;
}

export interface Manner {
  /** Saves before the submission. */
  saves: number;
  /** Average milliseconds between two saves. */
  think: number;
  /** Planned time of the submission, by `performance.now()`. Students with less time left think shorter. */
  end: number;
  /** Average milliseconds between two polls of the list; 0: never. */
  poll: number;
  /** Share of the students who photograph an answer, 0 to 1. */
  pictures: number;
  /** A photograph in the format of a phone. */
  picture: Buffer;
  random: () => number;
}

export interface Question {
  id: number;
  ques_type: number;
  ques_option: { id: number; side?: 'left' | 'right' | null }[];
  blanks: number;
}

interface Student {
  uid: number;
  line: Line;
  /** Token of the application. */
  application: string;
  manner: Manner;
  /** Token of an earlier sign-in. */
  token?: string | undefined;
}

class GivenUp extends Error {}

/** Steps of one student. An unexpected answer ends the student's run. */
class Desk {
  private readonly student: Student;
  private token = '';
  private etag = '';

  constructor(student: Student) {
    this.student = student;
    this.token = student.token ?? '';
  }

  async signIn(): Promise<string> {
    const { uid, application } = this.student;
    const { data } = await this.ask({
      call: 'session',
      method: 'POST',
      path: 'session',
      token: application,
      body: { uid },
    });
    this.token = data.token;
    return this.token;
  }

  get(call: string, path: string, headers?: Record<string, string>): Promise<Answered> {
    return this.ask({ call, path, token: this.token, ...(headers && { headers }) });
  }

  post(call: string, path: string, body: object = {}): Promise<Answered> {
    return this.ask({ call, method: 'POST', path, token: this.token, body });
  }

  /** Waits as long as a student thinks, and polls the list now and then. `again`: how many pauses are still to come. */
  async think(list: string, again: number): Promise<void> {
    const { think, end, poll, random } = this.student.manner;
    let left = Math.min(think * (0.5 + random()), (end - performance.now()) / (again + 1));
    while (poll > 0 && left > poll) {
      await pause(poll * (0.5 + random()));
      left -= poll;
      const { status, etag } = await this.get(`${list}, again`, list, { 'if-none-match': this.etag });
      if (status === 200) this.etag = etag;
    }
    await pause(Math.max(0, left));
  }

  async look(list: string): Promise<void> {
    this.etag = (await this.get(list, list)).etag;
  }

  /** Uploads a photograph. Returns its address, for use in an answer. */
  async photograph(): Promise<string> {
    const boundary = 'photograph';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="photo.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(head),
      this.student.manner.picture,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const { data } = await this.ask({
      call: 'picture',
      method: 'POST',
      path: 'public/file',
      token: this.token,
      body,
      headers,
    });
    return data.path;
  }

  private async ask(asked: Asked): Promise<Answered> {
    const { line, uid } = this.student;
    const answer = await line.ask({ ...asked, path: `/api/app/${asked.path}` });
    if (answer && (answer.status === 200 || answer.status === 304)) return answer;
    if (answer) line.tally.faults.push(`${asked.call} of student ${uid}: ${answer.status} ${answer.msg}`);
    throw new GivenUp();
  }
}

/** Token for later; undefined if refused. */
export async function signedInBefore(student: Student): Promise<string | undefined> {
  try {
    return await new Desk(student).signIn();
  } catch (error) {
    if (error instanceof GivenUp) return undefined;
    throw error;
  }
}

type Play = (desk: Desk, acknowledged: Acknowledged) => Promise<void>;

async function played(
  student: Student,
  of: Pick<Acknowledged, 'kind' | 'recordId'>,
  play: Play,
): Promise<Acknowledged> {
  const acknowledged: Acknowledged = {
    ...of,
    uid: student.uid,
    started: false,
    answers: new Map(),
    saves: 0,
    pictures: [],
    report: undefined,
  };
  try {
    const desk = new Desk(student);
    if (!student.token) await desk.signIn();
    await play(desk, acknowledged);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
  }
  return acknowledged;
}

/**
 * Takes an exam: signs in unless signed in, polls the list, starts, reads the paper, saves repeatedly, and submits with
 * the last answers.
 */
export function takeExam(student: Student, examId: number): Promise<Acknowledged> {
  const { manner } = student;
  return played(student, { kind: 'exam', recordId: examId }, async (desk, acknowledged) => {
    await desk.look('exams');
    await desk.post('start', `exams/${examId}/start`);
    acknowledged.started = true;
    const { data } = await desk.get('paper', `exams/${examId}`);
    const questions: Question[] = data.paper.flatMap((section: { questions: Question[] }) => section.questions);
    const picture = await pictureFor(desk, manner, acknowledged, questions);
    let serial = 0;
    const writeAnswers = (part: readonly Question[]) => {
      serial += 1;
      const answers = part.map((question) => ({
        question,
        answer: answerTo(question, serial, manner.random, picture),
      }));
      return {
        sent: answers.map(({ question, answer }) => ({ ques_id: question.id, user_answer: answer, serial })),
        keep: () => noteAnswers(acknowledged, answers),
      };
    };
    const each = Math.max(1, Math.ceil(questions.length / Math.max(1, manner.saves)));
    for (let turn = 0; turn < manner.saves; turn += 1) {
      await desk.think('exams', manner.saves - turn);
      const from = (turn * each) % questions.length;
      const { sent, keep } = writeAnswers(questions.slice(from, from + each));
      await desk.post('save', `exams/${examId}/answers`, { answers: sent });
      keep();
      acknowledged.saves += 1;
    }
    await desk.think('exams', 0);
    const { sent, keep } = writeAnswers(questions.slice(0, 1));
    const handed = await desk.post('hand in', `exams/${examId}/submission`, { answers: sent, confirm_blank: 1 });
    keep();
    acknowledged.report = { id: handed.data.report_id, submitTime: handed.data.submit_time };
  });
}

/** Does a homework in the same way. Each draft contains all answers and builds on the previous draft. */
export function doHomework(student: Student, homeworkId: number): Promise<Acknowledged> {
  const { manner } = student;
  return played(student, { kind: 'homework', recordId: homeworkId }, async (desk, acknowledged) => {
    await desk.look('homework');
    const { data } = await desk.get('questions', `homework/${homeworkId}`);
    acknowledged.started = true;
    const questions: Question[] = data.questions;
    const picture = await pictureFor(desk, manner, acknowledged, questions);
    let version: number = data.draft?.version ?? 0;
    let written: ReturnType<typeof write> = [];
    const write = (turn: number) =>
      questions.map((question) => ({ question, answer: answerTo(question, turn, manner.random, picture) }));
    const sentAnswers = () => written.map(({ question, answer }) => ({ ques_id: question.id, user_answer: answer }));
    for (let turn = 0; turn < manner.saves; turn += 1) {
      await desk.think('homework', manner.saves - turn);
      written = write(turn);
      const saved = await desk.post('draft', `homework/${homeworkId}/draft`, {
        version,
        answers: sentAnswers(),
        answer_time: 60,
      });
      version = saved.data.version;
      acknowledged.saves += 1;
    }
    await desk.think('homework', 0);
    written = write(manner.saves);
    const handed = await desk.post('submission', `homework/${homeworkId}/submission`, {
      answers: sentAnswers(),
      answer_time: 60,
      confirm_blank: 1,
    });
    noteAnswers(acknowledged, written);
    acknowledged.report = { id: handed.data.report_id, submitTime: handed.data.submit_time };
  });
}

async function pictureFor(
  desk: Desk,
  { pictures, random }: Manner,
  acknowledged: Acknowledged,
  questions: readonly Question[],
): Promise<string | undefined> {
  if (random() >= pictures || !questions.some(({ ques_type }) => ques_type === written)) return undefined;
  const address = await desk.photograph();
  acknowledged.pictures.push(address);
  return address;
}

type Answer = number[] | string | { content: string; images: string[] };
const written = 5;

/** Returns a random answer that fits the question. */
function answerTo(
  { ques_type, ques_option, blanks }: Question,
  turn: number,
  random: () => number,
  picture?: string,
): Answer {
  if (ques_type === written) return { content: `第${turn}次作答`, images: picture ? [picture] : [] };
  if (ques_type === 7) return Array.from({ length: Math.max(1, blanks) }, (_, blank) => `${turn}-${blank}`).join('@@');
  const [left, right] = (['left', 'right'] as const).map((side) =>
    ques_option.filter((option) => option.side === side),
  );
  if (left?.length && right?.length) {
    return left.map(({ id }, place) => `${id}-${right[(place + turn) % right.length]?.id}`).join(',');
  }
  const ids = ques_option.map(({ id }) => id);
  const one = ids[Math.floor(random() * ids.length)] ?? 1;
  return ques_type === 3 ? ids.filter((id) => id === one || random() < 0.5) : [one];
}

function noteAnswers(acknowledged: Acknowledged, answers: readonly { question: Question; answer: Answer }[]): void {
  for (const { question, answer } of answers) acknowledged.answers.set(question.id, v.parse(UserAnswer, answer));
}
