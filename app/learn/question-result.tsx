/** A question with the learner's answer and, once published, its result. */
import { formatScore } from '#server/platform/text/rules.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import { Tag, type TagTone } from '../ui/tag.tsx';
import type { Question, QuestionResult } from './api-answers.ts';
import { withLearnerFiles } from './file-address.ts';
import styles from './learn.learn.module.css';
import { isBlanks, isText, matchingSidesOf } from './question-answer.ts';
import { labelOf, QuestionStem } from './question-fields.tsx';
import { answerStatusNames } from './terms.ts';

const tones: Record<number, TagTone> = { 1: 'good', 2: 'bad', 3: 'warn', 4: 'plain', 5: 'accent' };

interface ShownAnswer
  extends Omit<
    QuestionResult,
    'status' | 'user_score' | 'right_answer' | 'right_shown' | 'ques_analysis' | 'review_comment'
  > {
  /** Result of the question. Undefined until learners may see it. */
  result?: QuestionResult | undefined;
}

export function AnsweredQuestion({
  question,
  before,
  answer,
  rated,
}: {
  question: Question;
  before?: Question | undefined;
  answer: ShownAnswer;
  /** True if results are in percent instead of points. */
  rated?: boolean;
}) {
  const { result } = answer;
  return (
    <section className={styles.question}>
      <QuestionStem question={question} before={before} rated={rated} />
      {!isText(question) && question.ques_option.length > 0 && (
        <ul className={styles.options}>
          {question.ques_option.map((option, place) => (
            <li key={option.id}>
              {labelOf(option, place)}. <RichHtml html={withLearnerFiles(option.content)} inline />
            </li>
          ))}
        </ul>
      )}
      <dl className={styles.result}>
        <dt>我的答案</dt>
        <dd>
          <OwnAnswer question={question} answer={answer} />
        </dd>
        {result && (
          <>
            <dt>结果</dt>
            <dd>
              <Tag tone={tones[result.status] ?? 'plain'}>{answerStatusNames[result.status] ?? '已批改'}</Tag>
              {result.user_score !== null && !rated && ` ${formatScore(result.user_score)} 分`}
              {result.user_score !== null && rated && ` ${Math.round(result.user_score * 100)}%`}
            </dd>
            {result.review_comment && (
              <>
                <dt>评语</dt>
                <dd className={styles.said}>{result.review_comment}</dd>
              </>
            )}
            {(result.right_answer || result.right_shown) && (
              <>
                <dt>正确答案</dt>
                <dd>
                  <RightAnswer question={question} result={result} />
                </dd>
              </>
            )}
            {result.ques_analysis && (
              <>
                <dt>解析</dt>
                <dd>
                  <RichHtml html={withLearnerFiles(result.ques_analysis)} />
                </dd>
              </>
            )}
          </>
        )}
      </dl>
    </section>
  );
}

function OwnAnswer({ question, answer }: { question: Question; answer: ShownAnswer }) {
  const { user_answer, answer_content, answer_images } = answer;
  if (isText(question)) {
    if (answer_content === '' && answer_images.length === 0) return '未作答';
    return (
      <>
        <RichHtml html={withLearnerFiles(answer_content)} />
        {answer_images.length > 0 && (
          <ul className={styles.pictures}>
            {answer_images.map(({ url, path }, place) => (
              <li key={url}>
                <a href={withLearnerFiles(path || url)}>
                  <img
                    src={withLearnerFiles(path || url)}
                    alt={path ? `第${place + 1}张，有老师的批注` : `第${place + 1}张`}
                  />
                </a>
                {path && <a href={withLearnerFiles(url)}>原图</a>}
              </li>
            ))}
          </ul>
        )}
      </>
    );
  }
  return user_answer === '' ? '未作答' : formatAnswer(question, user_answer);
}

function RightAnswer({ question, result }: { question: Question; result: QuestionResult }) {
  if (result.right_shown && (isText(question) || isBlanks(question))) {
    return <RichHtml html={withLearnerFiles(result.right_shown)} />;
  }
  return result.right_answer === '' ? '—' : formatAnswer(question, result.right_answer);
}

/** Formats an answer: letters of options, or the blanks in order. */
export function formatAnswer(question: Question, answer: string): string {
  if (isText(question)) return answer;
  if (isBlanks(question)) return answer.split('@@').join('；');
  const labels = new Map(question.ques_option.map((option, place) => [String(option.id), labelOf(option, place)]));
  const isMatching = matchingSidesOf(question) !== undefined;
  const parts = answer.split(',').map((part) =>
    part
      .split('-')
      .map((id) => labels.get(id) ?? id)
      .join('—'),
  );
  return parts.join(isMatching ? '，' : '、');
}
