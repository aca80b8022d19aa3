/** The whole API: every subject under the prefix of each identity, sign-in, health, and its own description. */
import { Hono } from 'hono';
import { accountCalls, staffCalls } from '#server/account/api.ts';
import { mountSetup } from '#server/account/setup.ts';
import { mountSignIn, signInCalls } from '#server/account/sign-in.ts';
import { analysisCalls } from '#server/analysis/api.ts';
import { attendanceCalls } from '#server/attendance/api.ts';
import { learnerAttendanceCalls } from '#server/attendance/learner-application.ts';
import { calendarCalls } from '#server/calendar/api.ts';
import { mountCalendarFeeds } from '#server/calendar/feed-address.ts';
import { classCalls } from '#server/classes/api.ts';
import { communityCalls } from '#server/community/api.ts';
import { correctionCalls } from '#server/correction/api.ts';
import { coursewareCalls } from '#server/courseware/api.ts';
import { description } from '#server/description.ts';
import { examCalls } from '#server/exams/api.ts';
import { groupClassCalls } from '#server/group-classes/api.ts';
import { homeworkCalls } from '#server/homework/api.ts';
import { learnerHomeworkCalls } from '#server/homework/learner-application.ts';
import { liveCalls } from '#server/live/api.ts';
import { meetingCalls } from '#server/meetings/api.ts';
import { learnerMeetingCalls } from '#server/meetings/learner-application.ts';
import { noticeCalls } from '#server/notices/api.ts';
import { type ApiRouter, answerError, mountCalls, type RequestVariables } from '#server/platform/calls/answer.ts';
import { requestIdOf } from '#server/platform/calls/current-request.ts';
import { type Description, describeApi } from '#server/platform/calls/describe.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { localApi } from '#server/platform/calls/local.ts';
import { missing, Refusal } from '#server/platform/calls/outcome.ts';
import { patiently } from '#server/platform/db/patience.ts';
import { exportCalls } from '#server/platform/export/api.ts';
import { fileCalls } from '#server/platform/files/api.ts';
import { pdfCalls } from '#server/platform/pdf/api.ts';
import { questionCalls } from '#server/questions/api.ts';
import { schoolCalls } from '#server/school/api.ts';
import { type ApplicationCall, applicationBackend } from '#server/school/application.ts';
import { type SchoolCall, type Services, schoolBackend } from '#server/school/context.ts';
import { mountSchoolFace } from '#server/school/face.ts';
import { searchCalls } from '#server/search/api.ts';
import { sessionCalls } from '#server/sessions/api.ts';
import { learnerLessonCalls } from '#server/sessions/learner-application.ts';
import { administrationCalls, workbenchCalls } from '#server/workbench/api.ts';

/** Every call that is answered, by subject. */
export const subjects: { name: string; calls: readonly SchoolCall[] }[] = [
  { name: '工作台', calls: workbenchCalls },
  { name: '搜索', calls: searchCalls },
  { name: '作业', calls: homeworkCalls },
  { name: '批改', calls: correctionCalls },
  { name: '作业分析', calls: analysisCalls },
  { name: '考试', calls: examCalls },
  { name: '试卷', calls: pdfCalls },
  { name: '导出', calls: exportCalls },
  { name: '题库', calls: questionCalls },
  { name: '课次', calls: sessionCalls },
  { name: '团课班级', calls: groupClassCalls },
  { name: '学校', calls: schoolCalls },
  { name: '班级', calls: classCalls },
  { name: '社区', calls: communityCalls },
  { name: '公告', calls: noticeCalls },
  { name: '班会', calls: meetingCalls },
  { name: '课件', calls: coursewareCalls },
  { name: '考勤', calls: attendanceCalls },
  { name: '教学日历', calls: calendarCalls },
  { name: '直播', calls: liveCalls },
  { name: '账号', calls: accountCalls },
  { name: '教务', calls: administrationCalls },
  { name: '教务·人员', calls: staffCalls },
  { name: '登录', calls: signInCalls },
  { name: '文件', calls: fileCalls },
];

/** The same of the learners' own application. */
const learners: { name: string; calls: readonly ApplicationCall[] } = {
  name: '学习端',
  calls: [...learnerHomeworkCalls, ...learnerAttendanceCalls, ...learnerLessonCalls, ...learnerMeetingCalls],
};

export interface Api {
  fetch(request: Request): Promise<Response>;
  /** For the screens of this process (see `localApi`). */
  local: ReturnType<typeof localApi>;
}

export function createApi(services: Services): Api {
  const api = apiRouter(services);
  return {
    fetch: (request) => patiently(async () => api.fetch(request)),
    local: localApi(
      schoolBackend(services),
      subjects.flatMap(({ calls }) => calls),
    ),
  };
}

const application = { security: { application: [] }, note: '学习端应用凭服务令牌调用，重复提交不会重复生效。' };

/** Every call as `/api/docs` has it. */
export const describedApi: Description = { ...description, subjects: [...subjects, { ...learners, application }] };

/** The answer to whether this process runs: it asks nothing and nobody. */
export const runs = (): Response => envelopeResponse(success({ process: 'up' }, '运行正常'));

/** Everything that is answered under an address. */
export function apiRouter(services: Services): ApiRouter {
  const backend = schoolBackend(services);
  const api: ApiRouter = new Hono<RequestVariables>({ strict: false });

  api.use(async (context, next) => {
    const requestId = requestIdOf(context.req.header('x-request-id'));
    context.set('requestId', requestId);
    await next();
    context.header('x-request-id', requestId);
  });
  api.get('/healthz', runs);
  api.get('/readyz', async () => {
    try {
      await services.database.ping();
      return envelopeResponse(success({ database: 'up' }, '运行正常'));
    } catch (error) {
      services.log.warn({ err: error }, 'database not ready');
      return refusalResponse(new Refusal('away', '数据库暂时不可用'));
    }
  });
  mountSignIn(api, services);
  mountSetup(api, services);
  mountSchoolFace(api, services);
  mountCalendarFeeds(api, services);
  describeApi(api, describedApi);
  mountCalls(api, applicationBackend(services), learners.calls);
  mountCalls(
    api,
    backend,
    subjects.flatMap(({ calls }) => calls),
  );
  api.notFound(() => refusalResponse(missing('接口不存在')));
  api.onError((error, context) => answerError(error, context, backend));
  return api;
}
