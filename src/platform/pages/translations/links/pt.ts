import type { LinkWords } from './en.ts'

export const ptLinks: LinkWords = {
  amount: 'Valor a pagar',
  between: (least, most) => `De ${least} a ${most}`,
  atLeast: (least) => `No mínimo ${least}`,
  atMost: (most) => `No máximo ${most}`,
  again: 'Começar de novo',
  cancel: 'Cancelar este pagamento',
  thanks: 'Obrigado. Você já pode fechar esta página.',
  missing: {
    heading: 'Este link de pagamento não existe',
    text: 'O link está incompleto. Peça o link completo a quem o enviou.',
  },
  expired: {
    heading: 'Este link de pagamento expirou',
    text: (merchant) => `Peça um novo a ${merchant}.`,
  },
  off: {
    heading: 'Este link de pagamento não está mais ativo',
    text: (merchant) => `Peça um novo a ${merchant}.`,
  },
  paid: {
    heading: 'Este link de pagamento já foi pago',
    text: 'Ele só pode ser pago uma vez. Você não precisa fazer mais nada.',
  },
  unavailable: {
    heading: 'Este link não pode ser pago agora',
    text: (merchant) => `Tente mais tarde ou fale com ${merchant}. Nada foi cobrado.`,
  },
  receipt: {
    title: 'Recibo',
    paidOn: 'Pago em',
    method: 'Pago com',
    refunded: 'Reembolsado',
    rest: 'Pago após reembolsos',
    print: 'Imprimir',
    missing: {
      heading: 'Este recibo não existe',
      text: 'O link está incompleto ou expirou. Peça um novo à loja.',
    },
  },
}
