// The text that people see for each code of a refusal: a problem of the server, or `unreachable`. If a text is
// undefined, the server's own sentence is shown.
import type { RefusalCode } from '../api/refusal.ts'

type Texts = { readonly [Code in RefusalCode]: string | undefined }

const en: Texts = {
  invalid: undefined,
  'not-signed-in': 'Your session has ended. Sign in again.',
  'factor-needed': 'This was not confirmed. Try again and confirm that it is you.',
  'not-allowed': 'Your role does not include this.',
  'foreign-origin': undefined,
  'not-found': 'This does not exist, or it belongs to another company.',
  conflict: 'Somebody changed this meanwhile.',
  refused: undefined,
  'too-large': 'That is too large.',
  'not-json': undefined,
  'too-many': 'Too many attempts. Wait a moment, then try again.',
  failed: 'Something went wrong on our side. Try again; if it stays, tell your operator.',
  overloaded: 'Too much is going on. Try again in a moment.',
  outage:
    'The database cannot be used at the moment. Wait a little, look whether your change was made, and try again if it was not.',
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
}

const zh: typeof en = {
  invalid: undefined,
  'not-signed-in': '会话已结束，请重新登录。',
  'factor-needed': '操作未确认。请重试并确认是您本人。',
  'not-allowed': '您的角色没有此权限。',
  'foreign-origin': undefined,
  'not-found': '内容不存在，或属于其他公司。',
  conflict: '其他人刚刚修改了此内容。',
  refused: undefined,
  'too-large': '内容过大。',
  'not-json': undefined,
  'too-many': '尝试次数过多，请稍后再试。',
  failed: '我们的系统出错了，请重试；如果仍然失败，请告知运营方。',
  overloaded: '系统繁忙，请稍后再试。',
  outage: '数据库暂时无法使用。请稍候，确认更改是否已生效；若未生效，请重试。',
  unreachable: '无法连接服务器。请检查网络后重试。',
}

export const problemsWords = { en, zh }
