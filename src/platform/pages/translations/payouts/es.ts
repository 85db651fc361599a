import type { PayoutWords } from './en.ts'

export const esPayouts: PayoutWords = {
  title: 'Recibe tu dinero',
  heading: '¿Adónde enviamos el dinero?',
  button: (amount) => `Recibir ${amount}`,
  kinds: {
    card: 'Tarjeta',
    bank_account: 'Cuenta bancaria',
    pix: 'Pix',
    per_transfer: 'Cuenta bancaria en Perú',
    spei: 'Cuenta bancaria en México',
  },
  accounts: {
    card: 'Número de tarjeta',
    bank_account: 'IBAN o número de cuenta',
    pix: 'Clave Pix',
    per_transfer: 'CCI',
    spei: 'CLABE',
  },
  fields: {
    bankCode: 'BIC (código SWIFT)',
    beneficiaryType: 'La cuenta es de',
    addressLine: 'Dirección',
    city: 'Ciudad',
    countryCode: 'País',
    accountType: 'Tipo de cuenta',
  },
  hints: {
    bankCode: 'No hace falta con un IBAN',
    pix: 'CPF, CNPJ, correo, teléfono o clave aleatoria',
    per_transfer: '20 cifras',
    spei: '18 cifras',
  },
  way: { title: 'En camino', heading: 'Tu dinero está en camino' },
  wayTo: (end) => `Va a la cuenta que termina en ${end}. Esta página cambia sola.`,
  leave: 'Puedes salir de esta página: no tienes que hacer nada más.',
  sent: { title: 'Pagado', heading: 'Tu dinero se envió' },
  sentTo: (end) => `Fue a la cuenta que termina en ${end}.`,
  failed: { title: 'No pagado', heading: 'No se pudo enviar el dinero' },
  sendAgain: (merchant) => `${merchant} lo sabe y puede enviarlo de nuevo.`,
  goTo: (merchant) => `Ir a ${merchant}`,
  missing: {
    title: 'Página no encontrada',
    heading: 'Esta página de abono no existe',
    text: 'El enlace está incompleto o es demasiado antiguo. Pide uno nuevo a quien te lo envió.',
  },
  broken: 'Vuelve a cargar esta página en un momento. Nunca se te paga a dos cuentas ni dos veces.',
}
