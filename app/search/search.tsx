/** Global search by name: students, classes, courses, homework, exams, questions and notices, grouped by kind. */
import { Button, Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { attendanceCourseTypes, classTypes, courseTypeName } from '#server/classes/rules.ts';
import { type SearchResults, search } from '#server/search/contract.ts';
import { mayBePinyin, type SearchKind, searchKinds, searchLimit } from '#server/search/rules.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import { api } from '../api/client.server.ts';
import { courseAttendance, studentDetail } from '../attendance/screens.ts';
import { classDetail, classList, classNotices } from '../classes/screens.ts';
import { examDetail, examList } from '../exams/screens.ts';
import { teamDetail } from '../group-classes/screens.ts';
import { homeworkList } from '../homework/screens.ts';
import { noticeView } from '../notices/screens.ts';
import { questionDetail, questionList } from '../questions/screens.ts';
import { ShortStem } from '../questions/short-stem.tsx';
import { questionTypeName } from '../questions/terms.ts';
import { shortcuts } from '../shell/screens.ts';
import { titleMeta } from '../shell/title.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { usePerson } from '../ui/use-school.ts';
import type { Route } from './+types/search';
import { excerptOf, Highlight } from './highlight.tsx';
import { searchList, searchScreen } from './screens.ts';
import styles from './search.posts.module.css';
import { kindNames } from './terms.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.q ? `搜索：${loaderData.q}` : '搜索');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { filter } = searchList.at(url);
  const found = await context.get(api).send(search, { filter });
  return { q: filter.q, found };
}

export default function Search({ loaderData: { q = '', found } }: Route.ComponentProps) {
  const { kind } = useAddress(searchList).filter;
  const total = searchKinds.reduce((sum, one) => sum + found[one].total, 0);
  return (
    <Screen card>
      <h1>搜索</h1>
      <AddressForm href={searchScreen.href()} className={styles.form} label="搜索内容">
        <Input
          type="search"
          name="q"
          defaultValue={q}
          maxLength={searchLimit}
          aria-label="搜索内容"
          placeholder="学员、班级、课程、作业、考试、题目、公告"
          // The page exists to type a search, so the field gets the focus.
          autoFocus={q === ''}
        />
        <Button type="submit">搜索</Button>
      </AddressForm>
      {q === '' ? (
        <p className={styles.hint}>
          学员可按姓名、拼音或首字母（钱霖：qianlin、ql）、学员编号、手机号或其后四位查找；班级、课程、作业和考试也可按名称的拼音或首字母查找。键盘操作见
          <a href={shortcuts.href()}>快捷键</a>。
        </p>
      ) : (
        <p role="status">{total === 0 ? `没有找到与“${q}”有关的内容` : `找到 ${total} 条结果`}</p>
      )}
      {kind ? (
        <p>
          <a href={searchList.href({ q })}>全部结果</a>
        </p>
      ) : null}
      {(kind ? [kind] : searchKinds).map(
        (one) => found[one].total > 0 && <Kind key={one} kind={one} found={found} q={q} />,
      )}
    </Screen>
  );
}

function Kind({ kind, found, q }: { kind: SearchKind; found: SearchResults; q: string }) {
  const view = useAddress(searchList);
  const allHref = useAllResultsAddress(kind, found, q);
  const [name, unit] = kindNames[kind];
  const { total, list } = found[kind];
  const isWhole = view.filter.kind === kind;
  const rows = <ul>{readRowsById[kind](found, q)}</ul>;
  return (
    <section className={styles.kind} aria-label={name}>
      <h2>
        {name} <span>{total}</span>
      </h2>
      {isWhole ? (
        <List<unknown> view={view} result={found[kind]} body={() => rows} nothing={rows} />
      ) : (
        <>
          {rows}
          {total > list.length && (
            <p>
              <a href={allHref}>
                全部{total}
                {unit}
                {name}
              </a>
            </p>
          )}
        </>
      )}
    </section>
  );
}

/**
 * Address of all results of a kind: the kind's list with a filter if there is one, otherwise more pages of this search.
 */
function useAllResultsAddress(kind: SearchKind, found: SearchResults, q: string): string {
  const isLecturer = usePerson()?.identity === 'teacher';
  const here = searchList.href({ q, kind });
  // The list of classes has only state-school classes. Other classes are found here.
  const areInList = found.classes.list.every(({ class_type }) => class_type === classTypes.stateSchool);
  const lists: Partial<Record<SearchKind, string>> = {
    // These lists cannot search by pinyin, so a term that may be pinyin leads to more pages of this search.
    ...(!mayBePinyin(q) && {
      classes: areInList ? classList.href({ name: q, only_mine: false }) : here,
      homework: homeworkList.href({ name: q, ...(isLecturer && { show_other: 1 }) }),
      exams: examList.href({ name: q }),
    }),
    questions: questionList.href({ ques_stem: q }),
  };
  return lists[kind] ?? here;
}

interface RowProps {
  href: string;
  about: ReactNode;
  children: ReactNode;
}

const Row = ({ href, about, children }: RowProps) => (
  <li>
    <a href={href}>{children}</a>
    <SubLine>{about}</SubLine>
  </li>
);

const otherClassesText = (more: number) => (more > 0 ? `等${more + 1}个班级` : '');

const questionRows = (questions: SearchResults['questions'], q: string) =>
  questions.list.map(({ id, stem_text, stem, ques_type, updated_at }) => (
    <Row
      key={id}
      href={questionDetail.href({ id })}
      about={
        <>
          {questionTypeName(ques_type)} · <NearMoment at={updated_at} />
        </>
      }
    >
      {stem ? (
        <ShortStem html={stem} />
      ) : (
        <span data-written>
          <Highlight text={excerptOf(stem_text, q)} wanted={q} />
        </span>
      )}
    </Row>
  ));

const readRowsById: Record<SearchKind, (found: SearchResults, q: string) => ReactNode> = {
  students: ({ students }, q) =>
    students.list.map(({ id, uid, class_id, class_type, class_name, more_classes, nickname, mobile, spelled }) => (
      <Row
        key={uid}
        href={
          class_type === classTypes.stateSchool
            ? studentDetail.href({ id, uid, class_id })
            : teamDetail.href({ id: class_id })
        }
        about={[`${class_name}${otherClassesText(more_classes)}`, mobile, `编号${uid}`].filter(Boolean).join(' · ')}
      >
        <Highlight text={nickname} wanted={q} spelled={spelled} />
      </Row>
    )),
  classes: ({ classes }, q) =>
    classes.list.map(({ id, name, spelled, class_type, students }) => {
      const isState = class_type === classTypes.stateSchool;
      return (
        <Row
          key={id}
          href={(isState ? classDetail : teamDetail).href({ id })}
          about={`${isState ? '班级' : '团课班级'} · ${students}人`}
        >
          <Highlight text={name} wanted={q} spelled={spelled} />
        </Row>
      );
    }),
  courses: ({ courses }, q) =>
    courses.list.map(({ id, title, spelled, course_type, class_id, class_name, more_classes }) => (
      <Row
        key={id}
        href={
          attendanceCourseTypes.includes(course_type)
            ? courseAttendance.href({ course_id: id, class_id })
            : classDetail.href({ id: class_id, tab: 'courses' })
        }
        about={`${courseTypeName(course_type)} · ${class_name}${otherClassesText(more_classes)}`}
      >
        <Highlight text={title} wanted={q} spelled={spelled} />
      </Row>
    )),
  homework: ({ homework }, q) =>
    homework.list.map(({ id, name, spelled, course_title, ending_time, status }) => (
      <Row
        key={id}
        href={homeworkDetail.href({ hw_id: id, class_id: 0 })}
        about={
          <>
            {course_title} · {status === 2 ? '已撤回' : <NearMoment at={ending_time} />}
            {status === 2 ? '' : '截止'}
          </>
        }
      >
        <Highlight text={name} wanted={q} spelled={spelled} />
      </Row>
    )),
  exams: ({ exams }, q) =>
    exams.list.map(({ id, name, spelled, org_name, created_at }) => (
      <Row
        key={id}
        href={examDetail.href({ id })}
        about={
          <>
            {org_name} · <NearMoment at={created_at} />
          </>
        }
      >
        <Highlight text={name} wanted={q} spelled={spelled} />
      </Row>
    )),
  questions: ({ questions }, q) => questionRows(questions, q),
  publicQuestions: ({ publicQuestions }, q) => questionRows(publicQuestions, q),
  notices: ({ notices }, q) =>
    notices.list.map(({ id, title, class_id, class_name, created_at }) => (
      <Row
        key={id}
        href={noticeView.href(classNotices.href({ id: class_id }), { notice: id })}
        about={
          <>
            {class_name} · <NearMoment at={created_at} />
          </>
        }
      >
        <Highlight text={title} wanted={q} />
      </Row>
    )),
};
