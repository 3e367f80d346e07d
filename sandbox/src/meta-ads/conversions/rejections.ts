import type { Language } from '../accounts.ts';
import { badParameter, GraphError } from '../errors.ts';

interface Text {
  title: string;
  message: string;
}

const tooOld: Record<Language, Text> = {
  en: { title: 'Event timestamp too old', message: 'This event happened too long ago. Send events within 7 days.' },
  es: { title: 'Evento demasiado antiguo', message: 'Este evento es demasiado antiguo. Envíalo en un plazo de 7 días.' },
  fr: { title: 'Évènement trop ancien', message: 'Cet évènement est trop ancien. Envoyez-le dans un délai de 7 jours.' },
  it: { title: 'Evento troppo vecchio', message: 'Questo evento è troppo vecchio. Invialo entro 7 giorni.' },
  pt: { title: 'Evento muito antigo', message: 'Este evento é muito antigo. Envie-o em até 7 dias.' },
};

const tooThin: Record<Language, Text> = {
  en: { title: 'Not enough customer data', message: 'The customer information of this event is not sufficient.' },
  es: { title: 'Datos de cliente insuficientes', message: 'La información del cliente de este evento no es suficiente.' },
  fr: { title: 'Données client insuffisantes', message: 'Les informations client de cet évènement sont insuffisantes.' },
  it: { title: 'Dati cliente insufficienti', message: 'Le informazioni cliente di questo evento sono insufficienti.' },
  pt: { title: 'Dados de cliente insuficientes', message: 'As informações de cliente deste evento são insuficientes.' },
};

const notHashed: Record<Language, Text> = {
  en: { title: 'Parameter not hashed', message: 'A value of $ is not hashed. Hash it with SHA256.' },
  es: { title: 'Parámetro sin hash', message: 'Un valor de $ no está cifrado con hash. Usa SHA256.' },
  fr: { title: 'Paramètre non haché', message: 'Une valeur de $ n’est pas hachée. Utilisez SHA256.' },
  it: { title: 'Parametro senza hash', message: 'Un valore di $ non è sottoposto a hash. Usa SHA256.' },
  pt: { title: 'Parâmetro sem hash', message: 'Um valor de $ não tem hash. Use SHA256.' },
};

const missing: Record<Language, Text> = {
  en: { title: 'Missing parameter', message: 'The parameter $ is missing.' },
  es: { title: 'Falta un parámetro', message: 'Falta el parámetro $.' },
  fr: { title: 'Paramètre manquant', message: 'Le paramètre $ est absent.' },
  it: { title: 'Parametro mancante', message: 'Manca il parametro $.' },
  pt: { title: 'Parâmetro ausente', message: 'Falta o parâmetro $.' },
};

const invalid: Record<Language, Text> = {
  en: { title: 'Invalid parameter', message: 'An event has an invalid parameter.' },
  es: { title: 'Parámetro no válido', message: 'Un evento tiene un parámetro no válido.' },
  fr: { title: 'Paramètre non valide', message: 'Un évènement contient un paramètre non valide.' },
  it: { title: 'Parametro non valido', message: 'Un evento ha un parametro non valido.' },
  pt: { title: 'Parâmetro inválido', message: 'Um evento tem um parâmetro inválido.' },
};

export const missingSubcode = 2_804_019;

/** An event that rejects its whole batch. Its texts are in the user's language and do not say which event it is. */
export type Reject = (reason: Reason) => GraphError;

type Reason =
  | { is: 'too old' | 'too thin' }
  | { is: 'missing' | 'not hashed'; parameter: string }
  | { is: 'invalid'; subcode: number };

export function rejectionIn(language: Language): Reject {
  return (reason) => {
    const [subcode, texts] = subcodeOf(reason);
    const { title, message } = texts[language];
    const parameter = 'parameter' in reason ? reason.parameter : '';
    return new GraphError(100, 'Invalid parameter', {
      subcode,
      isTransient: false,
      userTitle: title,
      userMessage: message.replace('$', parameter),
    });
  };
}

function subcodeOf(reason: Reason): [number, Record<Language, Text>] {
  switch (reason.is) {
    case 'too old':
      return [2_804_003, tooOld];
    case 'too thin':
      return [2_804_050, tooThin];
    case 'not hashed':
      return [2_804_016, notHashed];
    case 'missing':
      return [missingSubcode, missing];
    case 'invalid':
      return [reason.subcode, invalid];
  }
}

export function tooManyEvents(limit: number): GraphError {
  return badParameter(`Param data must have at most ${limit} elements`);
}
