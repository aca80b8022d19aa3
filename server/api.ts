/** The API: all subjects under the prefixes of the identities, sign-in, health checks and documentation. */
import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { routePath } from 'hono/route';
import { accountCalls, secondFactorCalls, staffCalls } from '#server/account/api.ts';
import { mountSetup } from '#server/account/setup.ts';
import { mountSignIn, signInCalls } from '#server/account/sign-in.ts';
import { analysisCalls } from '#server/analysis/api.ts';
import { attendanceCalls } from '#server/attendance/api.ts';
import { learnerAttendanceCalls } from '#server/attendance/learner-application.ts';
import { learnerLeaveCalls } from '#server/attendance/learner-leave.ts';
import { learnerReportCalls } from '#server/attendance/learner-report.ts';
import { backupCalls } from '#server/backup/api.ts';
import { calendarCalls } from '#server/calendar/api.ts';
import { mountCalendarFeeds } from '#server/calendar/feed-address.ts';
import { learnerCalendarCalls } from '#server/calendar/learner-application.ts';
import { catalogueCalls } from '#server/catalogue/api.ts';
import { adminClassCalls, classCalls } from '#server/classes/api.ts';
import { circleCalls, communityCalls, reportCalls } from '#server/community/api.ts';
import { learnerCommunityCalls } from '#server/community/learner-application.ts';
import { courseCalls } from '#server/courses/api.ts';
import { coursewareCalls } from '#server/courseware/api.ts';
import { learnerCoursewareCalls } from '#server/courseware/learner-application.ts';
import { applicationDescription, applicationPaths, description } from '#server/description.ts';
import { memberCalls } from '#server/enrolment/api.ts';
import { adminExamCalls, examCalls } from '#server/exams/api.ts';
import { learnerExamCalls } from '#server/exams/learner-application.ts';
import { gradingCalls } from '#server/grading-desk/api.ts';
import { learnerReadingCalls } from '#server/grading-desk/learner-application.ts';
import { adminTeamCalls, groupClassCalls } from '#server/group-classes/api.ts';
import { historyCalls } from '#server/history/api.ts';
import { homeworkCalls } from '#server/homework/api.ts';
import { learnerHomeworkCalls } from '#server/homework/learner-application.ts';
import { identityCalls, ownIdentityCalls } from '#server/identity/api.ts';
import { learnerIdentityCalls } from '#server/identity/learner-application.ts';
import { mountIdentity } from '#server/identity/sign-in.ts';
import { importCalls } from '#server/import/api.ts';
import { learnerPasswordCalls, tokenCalls } from '#server/learners/api.ts';
import { type ApplicationCall, applicationBackend } from '#server/learners/application.ts';
import { learnerFileCalls } from '#server/learners/files.ts';
import { learnerSessionCalls } from '#server/learners/learner-application.ts';
import { liveCalls } from '#server/live/api.ts';
import { meetingCalls } from '#server/meetings/api.ts';
import { learnerMeetingCalls } from '#server/meetings/learner-application.ts';
import { answerMetrics } from '#server/monitoring.ts';
import { noticeCalls } from '#server/notices/api.ts';
import { learnerNoticeCalls } from '#server/notices/learner-application.ts';
import { rosterClientCalls } from '#server/oneroster/api.ts';
import { rosterDescription, rosterPaths } from '#server/oneroster/description.ts';
import { mountOneRoster } from '#server/oneroster/provider.ts';
import { type ApiRouter, answerError, mountCalls, type RequestVariables } from '#server/platform/calls/answer.ts';
import { type Description, describeApi } from '#server/platform/calls/describe.ts';
import { createFastPath, type FastPath } from '#server/platform/calls/direct.ts';
import { drainingAnswer } from '#server/platform/calls/draining.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { localApi } from '#server/platform/calls/local.ts';
import { missing, Refusal } from '#server/platform/calls/outcome.ts';
import { mountPolicyReports } from '#server/platform/calls/policy-reports.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { withRequestDeadline } from '#server/platform/db/deadline.ts';
import { exportCalls } from '#server/platform/export/api.ts';
import { fileCalls } from '#server/platform/files/api.ts';
import { recordRoute, requestIdOf } from '#server/platform/monitoring/current-request.ts';
import { pdfCalls } from '#server/platform/pdf/api.ts';
import { personalCalls } from '#server/privacy/api.ts';
import { bankCalls, pointCalls, questionCalls } from '#server/questions/api.ts';
import { schoolCalls } from '#server/school/api.ts';
import { mountBranding } from '#server/school/branding.ts';
import { type SchoolCall, type Services, schoolBackend } from '#server/school/context.ts';
import { schoolRecordCalls } from '#server/schools/api.ts';
import { searchCalls } from '#server/search/api.ts';
import { adminLessonCalls, handoutCalls, sessionCalls } from '#server/sessions/api.ts';
import { learnerLessonCalls } from '#server/sessions/learner-application.ts';
import { learnerFeedbackCalls } from '#server/sessions/learner-feedback.ts';
import { settingsCalls } from '#server/settings/api.ts';
import { studentCalls } from '#server/students/api.ts';
import { learnerStudentCalls } from '#server/students/learner-application.ts';
import { systemCalls } from '#server/system/api.ts';
import { storePolicyReport } from '#server/system/policy-reports.ts';
import { checkReadiness } from '#server/system/readiness.ts';
import { isReadinessGood, notReadyMessages, type ReadinessName } from '#server/system/rules.ts';
import { timetableCalls } from '#server/timetable/api.ts';
import { administrationCalls, workbenchCalls } from '#server/workbench/api.ts';
import { rolloverCalls } from '#server/year-rollover/api.ts';

/** All calls, by subject. */
export const subjects: { name: string; calls: readonly SchoolCall[] }[] = [
  { name: '工作台', calls: workbenchCalls },
  { name: '搜索', calls: searchCalls },
  { name: '作业', calls: homeworkCalls },
  { name: '批改', calls: gradingCalls },
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
  { name: '账号', calls: [...accountCalls, ...ownIdentityCalls] },
  { name: '教务', calls: administrationCalls },
  { name: '教务·人员', calls: staffCalls },
  { name: '教务·学校', calls: schoolRecordCalls },
  { name: '教务·基础资料', calls: catalogueCalls },
  { name: '教务·知识点', calls: pointCalls },
  { name: '教务·圈子', calls: circleCalls },
  { name: '教务·学员', calls: [...studentCalls, ...learnerPasswordCalls, ...personalCalls] },
  { name: '教务·班级成员', calls: memberCalls },
  { name: '教务·课程', calls: courseCalls },
  { name: '教务·班级', calls: adminClassCalls },
  { name: '教务·团课班级', calls: adminTeamCalls },
  { name: '教务·课次', calls: adminLessonCalls },
  { name: '教务·考试', calls: adminExamCalls },
  { name: '教务·讲义', calls: handoutCalls },
  { name: '教务·题库', calls: bankCalls },
  { name: '教务·举报', calls: reportCalls },
  { name: '教务·操作记录', calls: historyCalls },
  { name: '教务·导入', calls: [...timetableCalls, ...rolloverCalls, ...importCalls] },
  { name: '教务·数据对接', calls: rosterClientCalls },
  { name: '教务·系统', calls: systemCalls },
  { name: '教务·统一登录', calls: identityCalls },
  { name: '教务·设置', calls: [...settingsCalls, ...tokenCalls] },
  { name: '教务·备份', calls: backupCalls },
  { name: '登录', calls: [...signInCalls, ...secondFactorCalls] },
  { name: '文件', calls: fileCalls },
];

/** Calls of the learner API. */
const learnerSubjects: { name: string; calls: readonly ApplicationCall[] }[] = [
  { name: '登录与学员', calls: [...learnerIdentityCalls, ...learnerSessionCalls, ...learnerStudentCalls] },
  { name: '作业', calls: [...learnerReadingCalls, ...learnerHomeworkCalls] },
  { name: '图片与附件', calls: learnerFileCalls },
  { name: '考试', calls: learnerExamCalls },
  {
    name: '课表与直播',
    calls: [...learnerCalendarCalls, ...learnerLessonCalls, ...learnerMeetingCalls, ...learnerFeedbackCalls],
  },
  { name: '考勤与请假', calls: [...learnerLeaveCalls, ...learnerAttendanceCalls, ...learnerReportCalls] },
  { name: '公告', calls: learnerNoticeCalls },
  { name: '课件', calls: learnerCoursewareCalls },
  { name: '圈子', calls: learnerCommunityCalls },
];
const learnerCalls = learnerSubjects.flatMap(({ calls }) => calls);

export interface Api {
  fetch(request: Request): Promise<Response>;
  /** Fast path for learner calls, which come by the thousand. */
  direct: FastPath;
  /** In-process API for screens (see `localApi`). */
  local: ReturnType<typeof localApi>;
}

export function createApi(services: Services): Api {
  const learners = applicationBackend(services);
  const api = apiRouter(services, learners);
  return {
    fetch: (request) => withRequestDeadline(async () => api.fetch(request)),
    direct: createFastPath(learners, learnerCalls),
    local: localApi(
      schoolBackend(services),
      subjects.flatMap(({ calls }) => calls),
    ),
  };
}

const application = {
  security: { application: [] },
  note: '学习端应用凭服务令牌（带 uid）或学员令牌调用；登录（session、session/code）与事件（events）只凭服务令牌。重复提交不会重复生效。',
};

/** Calls as documented at `/api/docs`. */
export const apiDescription: Description = {
  ...description,
  subjects: [...subjects, { name: '学习端', calls: learnerCalls, application }],
};

/** Learner calls, documented at `/api/docs/app` for those who build an application. */
export const learnerApiDescription: Description = {
  ...applicationDescription,
  subjects: learnerSubjects.map((subject) => ({ ...subject, application })),
};

/** Answers `/healthz`: the process runs. Checks nothing. */
export const answerHealthz = (): Response => envelopeResponse(success({ process: 'up' }, '运行正常'));

/** The router of the API. */
export function apiRouter(services: Services, learners = applicationBackend(services)): ApiRouter {
  const backend = schoolBackend(services);
  const api: ApiRouter = new Hono<RequestVariables>({ strict: false });

  api.use(async (context, next) => {
    const requestId = requestIdOf(context.req.header('x-request-id'));
    context.set('requestId', requestId);
    await next();
    const pattern = routePath(context);
    if (pattern !== '*') recordRoute(pattern);
    context.header('x-request-id', requestId);
  });
  api.use(
    methodNotAllowed({
      app: api,
      onMethodNotAllowed({ req }, methods) {
        const headers = { allow: methods.join(', ') };
        if (req.method === 'OPTIONS') return new Response(null, { status: 204, headers });
        return envelopeResponse({ code: 405, msg: callMessages.notAllowed, data: null }, headers);
      },
    }),
  );
  api.get('/healthz', answerHealthz);
  api.get('/readyz', async () => {
    const leaving = drainingAnswer();
    if (leaving) return leaving;
    const ready = await checkReadiness(services);
    const lacking = (Object.keys(notReadyMessages) as ReadinessName[]).find((name) => !isReadinessGood(ready[name]));
    return lacking === undefined
      ? envelopeResponse(success(ready, '运行正常'))
      : refusalResponse(new Refusal('away', notReadyMessages[lacking], { data: ready }));
  });
  api.get('/metrics', (context) => answerMetrics(context.req.raw));
  mountPolicyReports(api, {
    ...services,
    keep: (report) => storePolicyReport(services.database.db, report, services.now()),
  });
  mountSignIn(api, services);
  mountIdentity(api, services);
  mountSetup(api, services);
  mountBranding(api, services);
  mountCalendarFeeds(api, services);
  mountOneRoster(api, services);
  describeApi(api, apiDescription);
  describeApi(api, learnerApiDescription, applicationPaths);
  describeApi(api, rosterDescription, rosterPaths);
  mountCalls(api, learners, learnerCalls);
  mountCalls(
    api,
    backend,
    subjects.flatMap(({ calls }) => calls),
  );
  api.notFound(() => refusalResponse(missing('接口不存在')));
  api.onError((error, context) => answerError(error, context, backend));
  return api;
}
