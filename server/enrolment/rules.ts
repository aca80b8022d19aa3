import { isRunning } from '#server/classes/rules.ts';
import { joinFirstNames } from '#server/platform/text/rules.ts';

/** Says what leaving students leave unfinished, such as `12名学员离开高一(1)班：3个未完成作业，1条待审批请假`; undefined if nothing. */
export function leavingSentence(
  who: string,
  { homework, leave }: { homework: number; leave: number },
): string | undefined {
  const texts = [homework > 0 && `${homework}个未完成作业`, leave > 0 && `${leave}条待审批请假`].filter(
    (one) => one !== false,
  );
  return texts.length > 0 ? `${who}：${texts.join('，')}` : undefined;
}

/**
 * Warns about joining students who take the same course in another class, or belong to another school than the class.
 */
export function joiningSentence({
  elsewhere,
  strangers,
}: {
  elsewhere: readonly { name: string; class_name: string; course: string }[];
  strangers: readonly { name: string; school_name: string }[];
}): string | undefined {
  const taught = elsewhere.map(({ name, class_name, course }) => `${name}已在${class_name}学习“${course}”`);
  const schools = strangers.map(({ name, school_name }) => `${name}属于${school_name}`);
  const texts = [...limitSentences(taught), ...limitSentences(schools)];
  return texts.length > 0 ? texts.join('；') : undefined;
}

/** 1: the class has neither expired nor been ended. `now`: unix seconds. */
export const isClassOpen = (
  theClass: { valid_type: number; valid_time: number; ended_at: number | null },
  now: number,
): 0 | 1 => (isRunning(theClass, now) && (theClass.ended_at === null || theClass.ended_at > now) ? 1 : 0);

/** Disabled students cannot be members. */
export const disabledMembersFault = (names: readonly string[]): string | undefined =>
  names.length > 0 ? `${joinFirstNames(names)}已停用，请先恢复` : undefined;

export const limitSentences = (sentences: readonly string[]): string[] =>
  sentences.length > maxSentences
    ? [`${sentences.slice(0, maxSentences).join('；')}；等${sentences.length}项`]
    : [...sentences];

/** Maximum number of sentences in a message; a longer list ends with its total. */
export const maxSentences = 5;
