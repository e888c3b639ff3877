"""Words of what a study set out to do, how it was done, and on whom."""

from __future__ import annotations

import re

#: Who was taken in, to the end of the sentence: "A total of 225 patients treated with zorvimab were included."
_ENROLLED = (
    r"(?<![\d,])\d[\d,]{0,11} (?:(?:[^.;]|\.\d){0,140} )?(?:were|was|have been|had been) (?:\w+ly )?(?:included|"
    r"enrolled|recruited|identified|screened|analy[sz]ed|randomi[sz]ed|registered)(?: (?:in|into|from|between|at|for|"
    r"during|and (?:received|treated|analy[sz]ed|followed))\b[^.;%]{0,80})?\.$|(?<![\d,])\d[\d,]{0,11} ?(?:\(\d|"
    r"%)[^.;]{0,80} (?:was|were) (?:treated with|given|started on|prescribed) [^.;,%\d]{3,60}\.$"
)
#: What was done to cells and animals, unless a result follows: "CAL27 cells were treated with zorvimab for 24 h."
_OF_CELLS = (
    r"^(?:(?:in vitro|in vivo|briefly|(?:on|at|from|for|during|after|in) [^,;]{1,40}), )?(?!(?:when|after|once|if|"
    r"as)\b)[^,;]{0,80}\b(?:cells?|lines?|rats?|mice|mouse|animals?|rabbits?|pigs?|dogs?|cultures?|slices|neurons|pups|"
    r"dams|larvae|zebrafish)\b (?:\([^()]{1,60}\) )?(?:(?:was|were) (?:pre-?|co-?)?(?:treated|incubated|exposed|"
    r"transfected|stimulated|injected|fed|housed|cultured|divided|subjected)|received|underwent)\b"
)
#: What it set out to do, and what a review is about.
OBJECTIVE = re.compile(
    r"\b(?:aim|aims|objectives?|purposes?|goals?|impetus) (?:of|for|was|were|is|are)\b|\baim(?:s|ed) (?:to|at)\b|"
    r"\b(?:sought|seeks?) to\b|"
    r"^(?:in order )?to (?:\w+ly )?(?:find|overcome|address|clarify|understand|elucidate|report|compare|determine|"
    r"evaluate|assess|investigate|examine|test|explore|study|establish|find out|describe|analy[sz]e|estimate|"
    r"identify)\b|"
    r"\b(?:we|study|trial|investigation|analysis|studies) (?:\w+ ){0,3}(?:compared|evaluated?s?|evaluates|assess(?:ed|"
    r"es)|investigate[sd]?|examine[sd]?|explore[sd]?|tests?|tested|addresses|focus(?:ed|es)|describe[sd]?)\b|"
    r"\b(?:designed|conducted|undertaken|performed|carried out|initiated|planned|set up|attempt(?:ed)?|intended|"
    r"necessary|of interest|in order|endeavou?r(?: was)? made) to\b|\b(?:encouraged|prompted|motivated) us\b|"
    r"\bbasis of (?:our|this|the present) (?:study|trial)\b|"
    r"\b(?:primary|secondary) (?:end-?points?|outcomes?|objectives?) (?:\w+ ){0,8}(?:was|were|is|are|"
    r"included?)\b(?! (?:not |met|similar|achieved|reached|equal|significant))|"
    r"\b(?:efficacy|safety|effectiveness)(?: and \w+)? of\b[^;]{0,160} (?:has|have) been (?:tested|studied|assessed|"
    r"evaluated|investigated|examined)\b|\bto our knowledge\b|\bis unique\b|"
    r"\bthe first (?:\w+ ){0,4}(?:study|trial|report|to)\b|\bliterature search\b|"
    r"\bthere (?:are|is|were) (?:no|few|only|limited|little|scarce) (?:\w+ ){0,3}(?:trials?|stud(?:y|ies)|data|"
    r"reports?)\b|\b(?:unclear|uncertain) (?:as to )?(?:whether|if|how|to what)\b|"
    r"\bmechanisms?\b[^.;]{0,80} (?:is|are|remains?) (?:still |largely )?(?:unknown|not (?:\w+ )?(?:known|"
    r"understood))\b|\bwe failed to assess\b|\bis studied\b|"
    r"\b(?:review|paper|article|chapter|report) (?:in \w+ )?(?:deals|discusses|considers|describes|summari[sz]es|"
    r"covers|reviews)\b|\b(?:are|is) (?:also )?(?:discussed|reviewed|described|considered)\b|\bdiscussed include\b|"
    r"\bwe (?:have )?(?:also )?(?:discuss(?:ed)?|review(?:ed)?|highlight(?:ed)?|(?:now |here )?present(?:ed)? (?:a|an|"
    r"the) (?!case|patient|\d)|summari[sz]ed?|outlined?|propose)\b|\bhas (?:not|never) (?:yet )?(?:been|evaluated)\b|"
    r"\bhave (?:not|never) (?:yet )?been\b|\bhas yet to\b",
    re.I,
)
#: What was done.
METHOD = re.compile(
    r"\b(?:was|were) (?:\w+ly |both |also |then |all |only )?(?:administered|given|randomi[sz]ed|randomly|"
    r"assigned|allocated|divided|measured|calculated|recorded|analy[sz]ed|defined|performed|obtained|collected|"
    r"titrated|infused|injected|prescribed|instructed|scheduled|supplied|studied|prepared|purchased|stored|provided by|"
    r"conducted|enrolled|recruited|monitored|switched|manufactured|not (?:collected|measured|assessed)|generated|built|"
    r"constructed|stopped in case|dissolved|diluted|selected as|chosen|stratified|classified|categori[sz]ed|"
    r"compared (?:in|by|using|for)|used (?:to|as|for|in))\b|\bsample size|\bpower (?:of|to)\b|\btype (?:1|I) error|"
    r"\b(?:double|single)[- ]blind|\bopen[- ]label|\bfollowing drugs were\b|\b(?:drug )?treatments included\b|"
    r"\bwas only taken\b|\btitrated (?:up )?to\b|\bco-?administered with\b|"
    r"^[\w-]+ (?:\w+ )?(?:patients|subjects|participants|children|adults|women|"
    r"men)\b[^.;]{0,100} received [\w-]+(?: [\w-]+){0,3}\.$|"
    r"\b(?:data|values|scores|results|bars|figures) (?:are|is|were) (?:shown|expressed|presented|given|listed|mean)\b|"
    r"\b(?:are|is) (?:shown|listed|presented|summari[sz]ed|depicted) in\b(?! the (?:orange|purple) book)|"
    r"^in (?:tables?|fig(?:ure|\.)?s?) ?\d|"
    r"\bin (?:tables?|figures?) \d[^;]{0,300}\bare (?:also )?(?:reported|shown|given)\b|\bnot powered\b|"
    r"\bwere tested with\b|\brandomi[sz]ed (?:to|participants|patients|subjects)\b|\brandomly\b|"
    r"\b(?<!who )(?:patients|participants|subjects|volunteers|women|men|adults|children|groups?|(?:non-?)?responders|"
    r"individuals|controls|arms?) (?:\([^()]{1,30}\) )?(?:either |each |all |both )?(?:receiv(?:ed|ing) |will receive|"
    r"receive\b)|\bwere allowed\b|"
    r"\bwe (?:decided|opted|elected) to\b|\b(?:herein|here),? we (?:present|report|describe)\b|"
    r"\bwe (?:have )?(?:also )?(?:used|chose|selected|administered|gave|added|continued|conducted|performed|included|"
    r"enrolled|recruited|randomi[sz]ed|assigned|allocated|compared|assessed|evaluated|examined|investigated|tested|"
    r"measured|calculated|followed|studied|combined|did not use|infiltrated|injected|treated|applied|exposed|incubated|"
    r"isolated|cultured|employed|utili[sz]ed|developed|constructed|generated|established|designed|recorded|collected|"
    r"analy[sz]ed|monitored|screened|quantified|searched|retrieved)\b|"
    r"\b(?:was|were|is) (?:\w+ly |also |then |further )?(?:employed|utili[sz]ed|applied) (?:to|for)\b|"
    r"\b(?:was|were) (?:\w+ly |also |then |further |first |next )?(?:detected|determined|assessed|evaluated|examined|"
    r"quantified|tested|verified|confirmed|explored|visuali[sz]ed|validated|established|screened|synthesi[sz]ed|"
    r"fabricated|formulated|self-assembled|encapsulated) (?:by|using|via|with|at|through|for|to)\b|"
    r"\b(?:patients|participants|subjects|controls|volunteers|women|men|"
    r"children) underwent\b[^.;]{0,160}\b(?:assessments?|scan\w*|imaging|MRI|PET|biops\w+|evaluations?|tests?|testing|"
    r"measurements?)\b|"
    r"\b(?:was|were) (?:\w+ly |also |then |further )?(?:investigated|evaluated|examined|explored|assessed|"
    r"tested)(?:\b[^.;,%\d]{0,80})?\.$|\bobservation was made of\b|"
    rf"{_OF_CELLS}|"
    r"\bfor safety reasons\b|\bdos(?:ag)?es? (?:was|were) (?:not )?(?:increased|reduced|adjusted|titrated)|"
    r"\b(?:identified|determined) using\b|\badditional characteristics\b|"
    r"\b(?:dosage|regimen) (?:of \w+ )?used in this (?:study|trial)\b|\bafter randomi[sz]ation\b",
    re.I,
)
#: Who took part, before the results.
BASELINE = re.compile(
    r"^(?:among|of) (?:all |the )*\d[\d,]* (?:patients|participants|subjects|individuals)\b(?:[^.;]|"
    r"\.\d){0,60}(?:\b(?:aged|years|male|female|men|women)\b|≥ ?\d\d ?y)|"
    r"\bbase-?line (?:char\w+|demographic|data|clinical|values|levels|differences)|\bdemographic|^at baseline\b|"
    r"\b(?:mean|median) (?:\(\S+\) )?age\b|\bage range\b|\bwell[- ]matched\b|\bhomogen|"
    r"\bdifferences?\b[^.;]{0,60}\b(?:based on|regarding|with respect to) (?:age|sex|gender|(?:the )?baseline|"
    r"demograph)|\bmen than women\b|\bdifferences? in (?:age|(?:the )?baseline)\b|"
    r"\bno (?:[\w-]+ ){0,3}differences?\b[^.;]{0,120}\bat baseline\b|\breceived \d[\d.]* ?± ?\d[\d.]* ?[mµμ]?c?g\b|"
    r"\badhering to (?:the )?(?:study )?protocol|\bdeviations? from (?:the )?protocol|"
    r"\b(?:compliances?|adherence|pill counts?|completion rates?|mean daily doses?)\b|"
    r"\b(?:completed|withdrew from|dropped out of) the (?:study|trial)\b|\blost to follow|"
    r"\bincluded in the (?:\w+ )?(?:analys|(?:\w+ )?group\b)|\b(?:sequence|period) effects?\b|\bexposure to study|"
    r"\bper-protocol criteria|\bdefined as\b|\bbefore (?:the )?(?:treatment|therapy|intervention|randomi[sz]ation)\b|"
    r"\bwe combined\b|"
    r"\b(?:safety|analysis|ITT|intention-to-treat|per-protocol) population (?:included|comprised|consisted)\b|"
    rf"{_ENROLLED}|"
    r"\b(?:median|mean) (?:of )?\d[\d.]* cycles\b|"
    r"\bsmall number of\b|\bcommon to all (?:the )?(?:patients|subjects|participants|groups|arms)\b|"
    r"\bpresent at baseline\b|\b(?:receiving|taking|on) [^.;]{1,80} at (?:the )?baseline\b|"
    r"\bat (?:study )?(?:entry|enrol?lment)\b|"
    r"\bpre-?\s?treatment (?:parameters|characteristics|variables|values)\b|"
    r"\(pre-?treatment\)|\bon admission\b|\bdrop-?outs?\b|\brun-in\b|\bAPACHE\b|"
    r"\b(?:age|sex|gender),? (?:\w+,? ){0,3}(?:and|or) (?:age|sex|gender|weight|BMI)\b",
    re.I,
)
