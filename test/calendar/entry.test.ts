import { describe, expect, it } from 'vitest';
import { entryPoint, type LiveFacts, liveStatus, mayEnterAssistantRoom } from '#server/calendar/entry.ts';

const open: LiveFacts = {
  kind: 'period',
  live_status: 2,
  periods_type: 1,
  course_type: 1,
  is_playback: 0,
  allow_enter: 0,
  periods_extend: 0,
  course_extend: 0,
  is_cancelled: 0,
  isTheirs: true,
  groups: 1,
};
const identities = ['teacher', 'assist'] as const;
const flags = [0, 1] as const;

/** Every combination of the rule's inputs. */
function* everyCase(): Generator<LiveFacts> {
  for (const kind of ['period', 'course', 'meeting'] as const)
    for (const live_status of [1, 2, 3] as const)
      for (const periods_type of [1, 2, 3, 7, 15, 16])
        for (const course_type of [1, 2, 7, 10, 15, 16])
          for (const is_playback of flags)
            for (const allow_enter of flags)
              for (const periods_extend of flags)
                for (const course_extend of flags)
                  for (const isTheirs of [true, false])
                    for (const groups of [0, 1, 3])
                      yield {
                        kind,
                        live_status,
                        periods_type,
                        course_type,
                        is_playback,
                        allow_enter,
                        periods_extend,
                        course_extend,
                        is_cancelled: 0,
                        isTheirs,
                        groups,
                      };
}

const groupRooms = [2, 3, 15];

/** Which sentence of the rule a case breaks. */
function brokenSentence(identity: 'teacher' | 'assist', facts: LiveFacts): string | undefined {
  const { way } = entryPoint(identity, facts);
  const entering = way === 'enter' || way === 'choose' || way === 'no_group';
  const intoAssistantRoom = mayEnterAssistantRoom(facts);
  if (facts.live_status === 3) {
    const after = facts.periods_type === 7 ? 'closed' : facts.is_playback === 1 ? 'playback' : 'no_playback';
    if (way !== after || intoAssistantRoom)
      return 'after it ends playback shows if available, otherwise a disabled button';
    return undefined;
  }
  if (!entering && way !== 'closed') return 'before the start or during a live there is no playback';
  const hidden = facts.periods_type === 7 || facts.allow_enter === 1;
  if ((entering || intoAssistantRoom) && hidden) return 'enter is hidden when periods_type is 7 or allow_enter is 1';
  if ((entering || intoAssistantRoom) && !facts.isTheirs) return 'it is for those whose it is';
  if (identity === 'teacher' && entering && way !== 'enter') return 'lecturers enter directly';
  if (intoAssistantRoom && (facts.course_extend !== 1 || !groupRooms.includes(facts.periods_type))) {
    return 'lecturers enter the assistant room only where course_extend is 1';
  }
  if (facts.kind !== 'period' || !entering || identity === 'teacher') return undefined;
  const byGroups = facts.groups === 0 ? 'no_group' : facts.groups === 1 ? 'enter' : 'choose';
  if (way !== byGroups) return 'assistants enter via their groups';
  if (groupRooms.includes(facts.periods_type) && facts.periods_extend !== 1) {
    return 'assistants enter the assistant room only where periods_extend is 1';
  }
  return undefined;
}

describe('live room entry', () => {
  it("uses the rules' messages in every case", () => {
    const faults: string[] = [];
    let cases = 0;
    for (const facts of everyCase()) {
      for (const identity of identities) {
        cases += 1;
        const broken = brokenSentence(identity, facts);
        if (broken) faults.push(`${broken}: ${identity} ${JSON.stringify(facts)}`);
      }
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(cases).toBeGreaterThan(50_000);
  });

  it('is open without an obstacle', () => {
    expect(entryPoint('teacher', { ...open, groups: 0 })).toEqual({ way: 'enter', reason: '' });
    expect(entryPoint('teacher', { ...open, periods_type: 2 }).way).toBe('enter');
    expect(entryPoint('assist', open).way).toBe('enter');
    expect(entryPoint('assist', { ...open, groups: 2 }).way).toBe('choose');
    expect(entryPoint('assist', { ...open, groups: 0 })).toEqual({ way: 'no_group', reason: '该课程没有分组' });
    expect(entryPoint('assist', { ...open, kind: 'meeting', groups: 0 }).way).toBe('enter');
    expect(entryPoint('assist', { ...open, periods_type: 15, periods_extend: 1 }).way).toBe('enter');
    const assistantRoom: LiveFacts = { ...open, periods_type: 3, course_extend: 1 };
    expect(mayEnterAssistantRoom(assistantRoom)).toBe(true);
    expect(mayEnterAssistantRoom({ ...assistantRoom, groups: 0 })).toBe(false);
    expect(mayEnterAssistantRoom({ ...assistantRoom, kind: 'meeting' })).toBe(false);
    expect(mayEnterAssistantRoom({ ...assistantRoom, kind: 'course' })).toBe(false);
  });

  it('says why it is closed', () => {
    const reasonFor = (facts: Partial<LiveFacts>, identity: 'teacher' | 'assist' = 'assist') =>
      entryPoint(identity, { ...open, ...facts }).reason;
    expect(reasonFor({ is_cancelled: 1 })).toBe('课次已取消');
    expect(reasonFor({ periods_type: 7 })).toBe('线下课时没有直播间');
    expect(reasonFor({ allow_enter: 1 })).toBe('该课时未开放进入直播间');
    expect(reasonFor({ periods_type: 2 })).toBe('该课时未开放助教直播间');
    expect(reasonFor({ course_type: 10 })).toBe('该课时没有直播间');
    expect(reasonFor({ isTheirs: false }, 'teacher')).toBe('仅授课讲师可进入直播间');
    expect(reasonFor({ isTheirs: false })).toBe('仅负责该班级的助教可进入直播间');
    expect(reasonFor({ isTheirs: false, kind: 'meeting' }, 'teacher')).toBe('仅该班级的班主任和助教可进入班会');
  });

  it('derives the status from the clock', () => {
    expect([9, 10, 19, 20].map((now) => liveStatus(10, 20, now))).toEqual([1, 2, 2, 3]);
  });
});
