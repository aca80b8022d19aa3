/** A course for administrators, with its periods, chapters and actions. */
import { Button } from '@mantine/core';
import { courseTypeName } from '#server/classes/rules.ts';
import { listChapters, placeChapter } from '#server/courses/chapters.contract.ts';
import { courseChoices, showCourse } from '#server/courses/contract.ts';
import { listPeriods, placePeriod, sortPeriods } from '#server/courses/periods.contract.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { idOf } from '../lib/search.ts';
import { malformedForm, readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact } from '../ui/facts.tsx';
import { Moment } from '../ui/moment.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Tag } from '../ui/tag.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Route } from './+types/detail';
import { ChapterTab } from './chapter-tab.tsx';
import { PeriodTab } from './period-tab.tsx';
import {
  type CourseTab,
  courseArchive,
  courseCopy,
  courseCover,
  courseDelete,
  courseDetail,
  courseEdit,
  courseRestore,
  courseScreen,
  courseTabs,
  periodList,
} from './screens.ts';
import { stateOf } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课程', href: courseScreen.href() }, { label: '课程详情' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.course.title, '课程详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showCourse);
  const client = context.get(api);
  const { id, tab } = courseDetail.at(url);
  const params = { id };
  const [course, chapters, shown] = await Promise.all([
    client.send(showCourse, { params }),
    client.send(listChapters, { params }),
    tab === 'periods' ? periodsShown(client, id, url) : undefined,
  ]);
  return { course, chapters, shown, tab, here: courseDetail.here(url) };
}

async function periodsShown(client: ApiClient, id: number, url: URL) {
  const [periods, { lecturers }] = await Promise.all([
    client.send(listPeriods, { params: { id }, filter: periodList.at(url).filter }),
    client.send(courseChoices),
  ]);
  return { periods, lecturers };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const [button, named] = readButton(await readPostedForm(request, context), 'up', 'down', 'raise', 'lower', 'sort');
  const client = context.get(api);
  const screen = new URL(courseDetail.here(url), url);
  if (button === 'sort')
    return redirectBack(context, await client.ask(sortPeriods, { params: { id: courseDetail.at(url).id } }), screen);
  const id = idOf(named);
  if (id === undefined) throw malformedForm();
  const direction = button === 'up' || button === 'raise' ? 'up' : 'down';
  const sent = { params: { id }, body: { direction } } as const;
  const isPeriod = button === 'up' || button === 'down';
  return redirectBack(
    context,
    isPeriod ? await client.ask(placePeriod, sent) : await client.ask(placeChapter, sent),
    screen,
  );
}

const tabNames: Record<CourseTab, string> = { periods: '课时', chapters: '章节' };

export default function CourseDetail({ loaderData }: Route.ComponentProps) {
  const { course, chapters, shown, tab, here } = loaderData;
  const { id } = course;
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            <span data-written>{course.title}</span> {course.put_away_at !== null && <Tag>{stateOf(course)}</Tag>}
          </>
        }
        facts={
          <>
            <Fact term="类型">{courseTypeName(course.course_type)}</Fact>
            <Fact term="学校">{course.school_name}</Fact>
            <Fact term="分类">
              {[course.classify_name, course.grade_name, course.subject_name].filter(Boolean).join(' · ') || '-'}
            </Fact>
            <Fact term="班级">{course.classes}</Fact>
            <Fact term="学员">{course.students}</Fact>
            {course.parent_id !== null && (
              <Fact term="上级课程">
                <a href={courseDetail.href({ id: course.parent_id })} data-written>
                  {course.parent_title}
                </a>
              </Fact>
            )}
            {course.children.length > 0 && (
              <Fact term="子课程">
                {course.children.map((child, at) => (
                  <span key={child.id}>
                    {at > 0 && '、'}
                    <a href={courseDetail.href({ id: child.id })} data-written>
                      {child.name}
                    </a>
                  </span>
                ))}
              </Fact>
            )}
            <Fact term="添加时间">
              <Moment at={course.created_at} />
            </Fact>
          </>
        }
        aside={
          <nav aria-label="课程操作">
            <Toolbar>
              <Button component="a" href={courseEdit.href({ id })}>
                编辑
              </Button>
              <Button component="a" href={courseCopy.href({ id })} variant="default">
                复制课程
              </Button>
              <Button component="a" href={courseCover.href(here)} variant="default">
                封面
              </Button>
              {course.put_away_at === null ? (
                <Button component="a" href={courseArchive.href(here)} variant="default">
                  停用
                </Button>
              ) : (
                <Button component="a" href={courseRestore.href(here)} variant="default">
                  恢复
                </Button>
              )}
              {course.delete_fault === null && (
                <Button component="a" href={courseDelete.href(here)} variant="default">
                  删除
                </Button>
              )}
            </Toolbar>
          </nav>
        }
      >
        {course.introduction && (
          <details>
            <summary>简介</summary>
            <p data-written>{course.introduction}</p>
          </details>
        )}
      </RecordHeader>
      <Tabs
        label="课程"
        current={tab}
        tabs={courseTabs.map((one) => ({
          key: one,
          label: tabNames[one],
          href: courseDetail.href({ id, tab: one }),
        }))}
      />
      {shown ? (
        <PeriodTab course={course} chapters={chapters} {...shown} />
      ) : (
        <ChapterTab chapters={chapters} here={here} />
      )}
    </Screen>
  );
}
