import type { CalendarCourse } from '#server/calendar/contract.ts';
import { findEntry } from '#server/calendar/entries.ts';
import { isRefusal, missing } from '#server/platform/calls/outcome.ts';
import { handle } from '#server/school/context.ts';
import { installationId } from '#server/school/settings.ts';
import { enterLive } from './contract.ts';
import { liveEnvironment, liveProvider, liveSettingsOf } from './provider.ts';
import { resolveRoom } from './room.ts';
import { missingLive } from './rules.ts';

export const liveCalls = [
  handle(enterLive, async ({ db, actor, query: { type, id, group_id }, now, log, policy }) => {
    const course = type && id ? await findEntry(db, actor, { kind: type, id, now }) : undefined;
    if (!course) return missing(missingLive);
    const room = resolveRoom(actor.identity, course, group_id);
    if (isRefusal(room)) return room;
    const title = titleOf(course);
    if (room.to === 'choose') return { kind: 'choose' as const, title, groups: course.class_list };
    const group = room.to === 'room' ? room.group : undefined;
    const visit = {
      type: course.kind,
      id: course.id,
      groupId: group?.class_group_id ?? 0,
      title: group ? `${title} · ${group.group_name}` : title,
      person: { id: actor.id, name: actor.name, identity: actor.identity },
      installation: await installationId(db),
    };
    const provider = liveProvider(liveSettingsOf(policy, liveEnvironment()));
    const url = room.to === 'playback' ? await provider?.playback(visit) : await provider?.enter(visit);
    if (isRefusal(url)) {
      log.warn({ type, id, group: visit.groupId }, 'live provider away');
      return url;
    }
    if (url) return { kind: 'go' as const, url };
    return {
      kind: 'unconfigured' as const,
      title,
      parameters: {
        type: visit.type,
        id: visit.id,
        group_id: visit.groupId,
        group_name: group?.group_name ?? '',
        is_playback: room.to === 'playback' ? (1 as const) : (0 as const),
      },
    };
  }),
];

const titleOf = ({ kind, meeting_name, period_title, course_title }: CalendarCourse): string =>
  (kind === 'meeting' ? meeting_name : period_title) || course_title;
