import { describe, expect, it } from 'vitest';
import { oldPasswordFault, passwordFault, signOutFault, wrongPasswordMessage } from '#server/account/rules.ts';

const rule = '密码为6到18位，且至少包含数字、小写字母、大写字母中的两种';

describe('new password', () => {
  it.each([
    ['', '请输入新密码'],
    ['Abc12', rule],
    ['Abc123', undefined],
    ['abcdefgh', rule],
    ['12345678', rule],
    ['abcdefg1', undefined],
    ['ABCDEFGh', undefined],
    [`Ab1${'c'.repeat(15)}`, undefined],
    [`Ab1${'c'.repeat(16)}`, rule],
  ])('%j: %s', (password, fault) => {
    expect(passwordFault(password)).toBe(fault);
  });
});

describe('current password', () => {
  it('needs at least 6 characters', () => {
    expect(oldPasswordFault('')).toBe('请输入旧密码');
    expect(oldPasswordFault('12345')).toBe('密码长度为6到16位');
    expect(oldPasswordFault('123456')).toBeUndefined();
  });

  it('may exceed the limit of new passwords, and fails only when wrong', () => {
    expect(oldPasswordFault('x'.repeat(17))).toBeUndefined();
    expect(wrongPasswordMessage('x'.repeat(17))).toBe('密码长度为6到16位');
    expect(wrongPasswordMessage('x'.repeat(16))).toBe('旧密码不正确');
  });
});

it('the current device cannot be signed out remotely', () => {
  expect(signOutFault({ is_current: true })).toBe('当前设备请使用“退出”按钮');
  expect(signOutFault({ is_current: false })).toBeUndefined();
});
