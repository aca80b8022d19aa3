/** When an import is held until a person confirms it. */
import { type HoldReason, kindName } from './rules.ts';

/** An import is held above these limits: number and share of leaving records of a kind, and share of changed ones. */
const maxLeavingShare = { count: 50, share: 0.1 } as const;

const maxChangingShare = 0.75;

/** An import is held if at least this many students leave a class that then has no students. */
const emptiedFrom = 3;

export interface Hold {
  kind: string;
  reason: HoldReason;
  /** Number that the user types to confirm the hold. */
  number: number;
  sentence: string;
}

/** Returns the holds for one kind. `had`: number of records that the source named until now. */
export function holdsOf(
  kind: string,
  {
    mode,
    had,
    rows,
    leaves,
    changes,
    unread,
    emptied = [],
    cut,
    isOwn = false,
    areLeavesChosen = false,
  }: {
    mode: 'bulk' | 'delta';
    had: number;
    rows: number;
    leaves: number;
    changes: number;
    unread: number;
    /** For each class that loses all its students, how many of them leave. */
    emptied?: readonly number[];
    /** Name of a file that may be truncated: all leaving records were its last lines. */
    cut?: string | undefined;
    /** True if the product generated the import from a person's choices. */
    isOwn?: boolean;
    /** A person chose each record that leaves, so the number needs no confirmation. */
    areLeavesChosen?: boolean;
  },
): Hold[] {
  const name = kindName(kind);
  const holds: Hold[] = [];
  if (mode === 'bulk' && rows === 0 && had > 0) {
    holds.push({ kind, reason: 'empty', number: had, sentence: `${name}：原有${had}条，本次一条也没有` });
  } else if (!areLeavesChosen && (leaves > maxLeavingShare.count || leaves > had * maxLeavingShare.share)) {
    const share = had > 0 ? `，占${Math.floor((leaves * 100) / had)}%` : '';
    holds.push({ kind, reason: 'leaves', number: leaves, sentence: `${name}：${leaves}条将离开${share}` });
  } else if (!areLeavesChosen && emptied.some((count) => count >= emptiedFrom)) {
    // Whole classes lose all their students, typically because the file covers only some of the classes.
    const classes = emptied.filter((count) => count >= emptiedFrom).length;
    const sentence = `${name}：${classes}个班级的学员一名也没有了，${leaves}条将离开`;
    holds.push({ kind, reason: 'emptied', number: leaves, sentence });
  } else if (leaves > 0 && unread > 0) {
    const sentence = `${name}：${leaves}条将离开，而有${unread}行未能读取，可能误判`;
    holds.push({ kind, reason: 'unread', number: leaves, sentence });
  } else if (leaves > 0 && cut !== undefined) {
    const sentence = `${name}：${leaves}条将离开，正是上次“${cut}”末尾的行，文件可能没有传完`;
    holds.push({ kind, reason: 'cut', number: leaves, sentence });
  }
  if (!isOwn && had > 0 && changes > had * maxChangingShare) {
    const sentence = `${name}：${changes}条将修改，占${Math.floor((changes * 100) / had)}%`;
    holds.push({ kind, reason: 'changes', number: changes, sentence });
  }
  return holds;
}

/** The hold for a file that equals an earlier one. `since`: number of imports after that one. */
export const olderHold = ({ file, day, since }: { file: string; day: string; since: number }): Hold => ({
  kind: 'file',
  reason: 'older',
  number: since,
  sentence: `内容与${day}导入的“${file}”相同，之后又导入过${since}个文件，可能发错了旧文件`,
});

/**
 * Returns the holds whose number the user has not typed. If no record is to be ended, only changes and old files count.
 */
export function unconfirmedHolds(
  holds: readonly Hold[],
  { confirmed, departures }: { confirmed: Readonly<Record<string, number>>; departures: boolean },
): Hold[] {
  return holds
    .filter(({ reason }) => departures || reason === 'changes' || reason === 'older')
    .filter(({ kind, reason, number }) => confirmed[`${kind}.${reason}`] !== number);
}

export const holdSentence = (holds: readonly Hold[]): string =>
  `导入已暂停：${holds.map(({ sentence, number }) => `${sentence}（确认请输入${number}）`).join('；')}`;
