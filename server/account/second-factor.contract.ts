import * as v from 'valibot';
import { FlagNumber, Seconds, TypedText } from '#server/platform/calls/fields.ts';
import { adminCall, callOfAllIdentities } from '#server/school/call.ts';

/** `is_required`: 1 if the school's policy demands a second factor. `at`: when it was turned on, unix seconds. */
export const SecondFactor = v.object({
  is_on: FlagNumber,
  is_required: FlagNumber,
  at: v.nullable(Seconds),
  recovery_left: v.number(),
});
export type SecondFactor = v.InferOutput<typeof SecondFactor>;

const code = TypedText;

/** Second step of signing in: takes the authenticator's code or a recovery code. */
export const confirmSignIn = callOfAllIdentities({
  method: 'POST',
  path: '/api/auth/code',
  title: '两步验证',
  description: '密码正确、但已开启两步验证的登录，在此之前只能调用本接口和退出。恢复代码每个只能使用一次。',
  body: v.object({ code }),
  answer: v.null(),
  message: '登录成功',
  whileSigningIn: 'proving',
});

export const showSecondFactor = callOfAllIdentities({
  method: 'GET',
  path: '/api/auth/second-factor',
  title: '两步验证的状态',
  answer: SecondFactor,
  whileSigningIn: 'settling',
});

/** Secret for the authenticator app; takes effect once a code confirms it. `address`: text of the QR code. */
export const Enrolment = v.object({ secret: v.string(), address: v.string() });
export type Enrolment = v.InferOutput<typeof Enrolment>;

export const beginSecondFactor = callOfAllIdentities({
  method: 'POST',
  path: '/api/auth/second-factor/secret',
  title: '生成两步验证密钥',
  description: '密钥只在本次应答中出现；提交由它生成的验证码后才生效。',
  answer: Enrolment,
  whileSigningIn: 'settling',
  secret: true,
});

export const RecoveryCodes = v.object({ recovery_codes: v.array(v.string()) });

export const turnSecondFactorOn = callOfAllIdentities({
  method: 'POST',
  path: '/api/auth/second-factor',
  title: '开启两步验证',
  description: '恢复代码只在本次应答中出现。其他设备上的登录会结束。',
  body: v.object({ secret: TypedText, code }),
  answer: RecoveryCodes,
  message: '两步验证已开启',
  whileSigningIn: 'settling',
  secret: true,
});

export const turnSecondFactorOff = callOfAllIdentities({
  method: 'POST',
  path: '/api/auth/second-factor/off',
  title: '关闭两步验证',
  body: v.object({ code }),
  answer: v.null(),
  message: '两步验证已关闭',
});

export const renewRecoveryCodes = callOfAllIdentities({
  method: 'POST',
  path: '/api/auth/second-factor/recovery',
  title: '重新生成恢复代码',
  description: '之前的恢复代码全部作废；新的只在本次应答中出现。',
  body: v.object({ code }),
  answer: RecoveryCodes,
  message: '恢复代码已重新生成',
  secret: true,
});

/** Turns off the second factor of somebody who lost both phone and recovery codes, and signs them out everywhere. */
export const resetSecondFactor = adminCall({
  method: 'POST',
  path: 'staff/:id/second-factor',
  title: '解除人员的两步验证',
  needs: 'people',
  answer: v.null(),
  message: '两步验证已解除',
});
