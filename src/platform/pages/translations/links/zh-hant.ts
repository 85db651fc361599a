import type { LinkWords } from './en.ts'

export const zhHantLinks: LinkWords = {
  amount: '付款金額',
  between: (least, most) => `${least} 至 ${most}`,
  atLeast: (least) => `至少 ${least}`,
  atMost: (most) => `最多 ${most}`,
  again: '重新開始',
  cancel: '取消此次付款',
  thanks: '謝謝。您可以關閉此頁面。',
  missing: { heading: '此付款連結不存在', text: '連結不完整。請向傳送人索取完整的連結。' },
  expired: { heading: '此付款連結已過期', text: (merchant) => `請向 ${merchant} 索取新連結。` },
  off: { heading: '此付款連結已停用', text: (merchant) => `請向 ${merchant} 索取新連結。` },
  paid: { heading: '此付款連結已付款', text: '它只能付款一次，您無需再做任何操作。' },
  unavailable: {
    heading: '此連結暫時無法付款',
    text: (merchant) => `請稍後再試，或聯絡 ${merchant}。您未被扣款。`,
  },
  receipt: {
    title: '收據',
    paidOn: '付款時間',
    method: '付款方式',
    refunded: '已退款',
    rest: '退款後實付',
    print: '列印',
    missing: { heading: '此收據不存在', text: '連結不完整或已過期。請向商店索取新連結。' },
  },
}
