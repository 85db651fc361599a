import type { Words } from '../en.ts'

export const problems: Words['problems'] = {
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
