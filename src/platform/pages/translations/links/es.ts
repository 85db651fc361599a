import type { LinkWords } from './en.ts'

export const esLinks: LinkWords = {
  amount: 'Importe a pagar',
  between: (least, most) => `De ${least} a ${most}`,
  atLeast: (least) => `Como mínimo ${least}`,
  atMost: (most) => `Como máximo ${most}`,
  again: 'Empezar de nuevo',
  cancel: 'Cancelar este pago',
  thanks: 'Gracias. Ya puede cerrar esta página.',
  missing: {
    heading: 'Este enlace de pago no existe',
    text: 'El enlace está incompleto. Pida el enlace completo a quien se lo envió.',
  },
  expired: {
    heading: 'Este enlace de pago ha caducado',
    text: (merchant) => `Pida uno nuevo a ${merchant}.`,
  },
  off: {
    heading: 'Este enlace de pago ya no está activo',
    text: (merchant) => `Pida uno nuevo a ${merchant}.`,
  },
  paid: {
    heading: 'Este enlace de pago ya se pagó',
    text: 'Solo se puede pagar una vez. No tiene que hacer nada más.',
  },
  unavailable: {
    heading: 'Este enlace no se puede pagar en este momento',
    text: (merchant) => `Inténtelo más tarde o pregunte a ${merchant}. No se le ha cobrado nada.`,
  },
  receipt: {
    title: 'Recibo',
    paidOn: 'Pagado el',
    method: 'Pagado con',
    refunded: 'Reembolsado',
    rest: 'Pagado tras los reembolsos',
    print: 'Imprimir',
    missing: {
      heading: 'Este recibo no existe',
      text: 'El enlace está incompleto o ha caducado. Pida uno nuevo a la tienda.',
    },
  },
}
