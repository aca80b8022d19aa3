import { data } from 'react-router';
import * as v from 'valibot';
import { classStudy, exportClassStudy, StudyExtra, StudyFilter } from '#server/attendance/contract.ts';
import { toFile } from '../../attendance/make-file.server.ts';
import { pageOf, redirectToLastPage } from '../../lib/last-page.server.ts';
import { readSearch } from '../../lib/search.ts';
import type { TabPost, TabRequest } from './tab.ts';

export async function loadStudyTab({ client, classId, url }: TabRequest) {
  const filter = readSearch(StudyFilter, url.searchParams);
  const outcome = await client.ask(classStudy, { params: { classId }, query: filter });
  if (!outcome.ok) throw data({ msg: outcome.msg }, { status: outcome.status });
  redirectToLastPage(outcome.data, pageOf(url));
  const extra = v.safeParse(StudyExtra, outcome.extra);
  return { filter, study: outcome.data, schools: extra.success ? extra.output.schools : [] };
}

/** 导出: the students that the list shows. */
export async function actStudyTab({ client, classId, url, context }: TabPost): Promise<never> {
  const { nickname, mobile, org_id } = readSearch(StudyFilter, url.searchParams);
  const outcome = await client.ask(exportClassStudy, { body: { class_id: classId, nickname, mobile, org_id } });
  return toFile(context, outcome, url);
}
