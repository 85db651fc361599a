import type { Words } from '../en.ts'

export const signIn: Words['signIn'] = {
  title: '登录',
  again: '会话已结束',
  againHint: '请登录以继续。您输入的内容已保留。',
  confirm: '请确认是您本人',
  email: '电子邮箱',
  password: '密码',
  action: '登录',
  other: '使用其他账户登录',
}
