"""Volume, issue, pages and authors of recorded records, as a person read them in the payloads.

`pages` is what a bibliography prints: a range in full, one page, or the article's number; a parser may keep a single
page as `pages` or as `article_number`. `authors` are all that are named, in their order: `Family, Given`, a suffix in
brackets, or a group's name (None: the record has the authors in one string only).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from recorded_answers import ANSWERS, needs_recorded_answers

from storm.databases.formats.crossref import work_hit
from storm.databases.formats.europepmc import read_europepmc
from storm.databases.formats.jats import read_jats
from storm.databases.formats.json_records import JsonRecord
from storm.databases.formats.medline import read_medline
from storm.databases.formats.pubmed_xml import read_pubmed
from storm.models import Contributor, Hit, Publication

CROSSREF = "crossref_openalex_unpaywall/crossref_factoid_"


class Read(NamedTuple):
    """What a person read of one record."""

    file: str
    identifier: str
    volume: str | None
    issue: str | None
    pages: str
    authors: str | None


VALUES = (
    # PubMed XML
    Read("pubmed/biopython_pubmed1.xml", "pmid:12091962", "17", "1", "113-125", "Olivero, J Michael"),
    Read("pubmed/biopython_pubmed1.xml", "pmid:9997", "446", "1", "179-191", "Strekas, T C"),
    Read("pubmed/biopython_pubmed2.xml", "pmid:11748933", "42", "4", "244-255",
         "Taddei, A R; Barbato, F; Abelli, L; Canese, S; Moretti, F; Rana, K J; Fausto, A M; Mazzini, M"),
    Read("pubmed/biopython_pubmed2.xml", "pmid:11700088", "153", "1", "117-123",
         "Casieri, C; Testa, C; Carpinelli, G; Canese, R; Podo, F; De Luca, F"),
    Read("pubmed/biopython_pubmed6.xml", "pmid:30108519", "9", None, "1034",
         "Garcia-Tabar, Ibai; Gorostiaga, Esteban M"),
    Read("pubmed/biopython_pubmed7.xml", "pmid:29963580", "5", "2", "026002",
         "Guo, Fumin; Capaldi, Dante; Kirby, Miranda; Sheikh, Khadija; Svenningsen, Sarah; McCormack, David G; "
         "Fenster, Aaron; Parraga, Grace; Canadian Respiratory Research Network"),
    Read("pubmed/efetch_219391.xml", "pmid:219391", "10", "1", "56-66",
         "Nakano, T; Sakai, H; Kinoshita, J; Yagishita, S; Itoh, Y"),
    Read("pubmed/efetch_24084238.xml", "pmid:24084238", "9", "6", "576-583",
         "Singh, Tiratha Raj; Gupta, Arun; Suravajhala, Prashanth"),
    Read("pubmed/efetch_25364329.xml", "pmid:25364329", "5", "2", "151-157",
         "Santiago-Dieppa, David R; Hwang, Lee S; Bydon, Ali; Gokaslan, Ziya L; McCarthy, Edward F; Witham, Timothy F"),
    Read("pubmed/efetch_26415349.xml", "pmid:26415349", "20", "2", "150-168", "Wilberding, James"),
    Read("pubmed/efetch_29226023.xml", "pmid:29226023", "7", "8", "448",
         "Takesh, Thair; Sargsyan, Anik; Lee, Matthew; Anbarani, Afarin; Ho, Jessica; Wilder-Smith, Petra"),
    Read("pubmed/efetch_31388315_panitumumab.xml", "pmid:31388315", "11", None, "5911-5924",
         "Battaglin, Francesca; Puccini, Alberto; Ahcene Djaballah, Selma; Lenz, Heinz-Josef"),
    Read("pubmed/efetch_32306807.xml", "pmid:32306807", "50", "10", "1242-1250",
         "Okamoto, Hiromi; Oitate, Masataka; Hagihara, Katsunobu; Shiozawa, Hideyuki; Furuta, Yoshitake; Ogitani, "
         "Yusuke; Kuga, Hiroshi"),
    Read("pubmed/efetch_32437181.xml", "pmid:32437181", "75", "5", "631-643",
         "Prime, Heather; Wade, Mark; Browne, Dillon T"),
    Read("pubmed/efetch_33568043.xml", "pmid:33568043", "14", "6", "1046-1065",
         "Singh, Sher; Khanna, Deepa; Kalra, Sanjeev"),
    Read("pubmed/efetch_33786689.xml", "pmid:33786689", "37", "4", "1105-1106", "Stillman, Arthur; Reiber, Johan H C"),
    Read("pubmed/efetch_34709863.xml", "pmid:34709863", "111", "S3", "S172",
         "Borrell, Luisa N; Erwin, Paul C; Fiala, Steve"),
    Read("pubmed/efetch_34843274.xml", "pmid:34843274", "77", "6", "770-780",
         "Guideline Development Panel for the Treatment of Depressive Disorders"),
    Read("pubmed/efetch_35123456.xml", "pmid:35123456", "23", "1", "121",
         "Sions, Jaclyn Megan; Donohoe, Maureen; Beisheim-Ryan, Emma Haldane; Pohlig, Ryan Todd; Shank, Tracy "
         "Michele; Nichols, Louise Reid"),
    Read("pubmed/efetch_38534005.xml", "pmid:38534005", "62", "9", "1653-1786",
         "Kouri, Timo T; Hofmann, Walter; Falbo, Rosanna; Oyaert, Matthijs; Schubert, Sören; Gertsen, Jan Berg; "
         "Merens, Audrey; Pestel-Caron, Martine; Task and Finish Group for Urinalysis (TFG-U), European Federation of "
         "Clinical Chemistry and Laboratory Medicine (EFLM)"),
    Read("pubmed/efetch_38591913.xml", "pmid:38591913", "206", "5", "e0002424",
         "Kumar, Ashish; Chakravorty, Somnath; Yang, Taihao; Russo, Thomas A; Newton, Salete M; Klebba, Phillip E"),
    Read("pubmed/efetch_38700094.xml", "pmid:38700094", "26", "6", "euae122",
         "Boriani, Giuseppe; Mei, Davide Antonio; Imberti, Jacopo Francesco"),
    Read("pubmed/efetch_38799617.xml", "pmid:38799617", "967", "2", "101",
         "Cabrera Garcia, Jonathan; Sakari, Charli M; Roederer, Ian U; Evans, Donavon W; Silva, Pedro; Mateo, Mario; "
         "Song, Ying-Yi; Kremin, Anthony; Bailey, John I [3rd]; Walker, Matthew G"),
    Read("pubmed/efetch_38962805.xml", "pmid:38962805", "36", "sup1", "228-229", ""),
    Read("pubmed/efetch_factoid_9417067.xml", "pmid:9417067", "273", "1", "215-221",
         "Anthonsen, M W; Rönnstrand, L; Wernstedt, C; Degerman, E; Holm, C"),
    Read("pubmed/efetch_factoid_151222.xml", "pmid:151222", "24", "3", "229-232", "Alexandru, E; Dobrescu, G"),
    Read("pubmed/efetch_factoid_9500320.xml", "pmid:9500320", "351", "9103", "637-641",
         "Wakefield, A J; Murch, S H; Anthony, A; Linnell, J; Casson, D M; Malik, M; Berelowitz, M; Dhillon, A P; "
         "Thomson, M A; Harvey, P; Valentine, A; Davies, S E; Walker-Smith, J A"),
    Read("pubmed/efetch_factoid_29440426.xml", "pmid:30193098", "71", "5", "745-760.e5",
         "Dunphy, Gillian; Flannery, Sinéad M; Almine, Jessica F; Connolly, Dympna J; Paulus, Christina; Jønsson, "
         "Kasper L; Jakobsen, Martin R; Nevels, Michael M; Bowie, Andrew G; Unterholzner, Leonie"),
    Read("pubmed/efetch_factoid_38289659.xml", "pmid:38289659", "12", None, "RP88808",
         "Mitra, Rishav; Richhariya, Shlesha; Hasan, Gaiti"),
    Read("pubmed/efetch_sulpub_10000166.xml", "pmid:10000166", "45", "1", "186-195",
         "Kostek, S; Schwartz, LM; Johnson, DL"),
    Read("pubmed/efetch_20301577.xml", "pmid:20301577", None, None, "", "Napolitano, Carlo; Priori, Silvia G"),
    # MEDLINE
    Read("pubmed/medline_manubot.nbib", "pmid:29424689", "7", None, "e32822",
         "Himmelstein, Daniel S; Romero, Ariel Rodriguez; Levernier, Jacob G; Munro, Thomas Anthony; McLaughlin, "
         "Stephen Reid; Greshake Tzovaras, Bastian; Greene, Casey S"),
    Read("pubmed/medline_manubot.nbib", "pmid:28288103", "35", "4", "342-346",
         "Beaulieu-Jones, Brett K; Greene, Casey S"),
    Read("pubmed/medline_pubmed_result3.txt", "pmid:23039619", "39", "10", "5795-5813",
         "Qiao, Shan; Shen, Guofeng; Bai, Jingfeng; Chen, Yazhu"),
    # JATS
    Read("pmc/PMC4141807.nxml", "pmcid:PMC4141807", "9", "8", "e105698",
         "Wang, Guang; Liu, Jia; Yang, Ning; Gao, Xia; Fan, Hui; Xu, Yuan; Yang, Wenying"),
    Read("pmc/efetch_pmc3040717.xml", "pmcid:PMC3040717", "70", "12", "4880-4890",
         "Lee, Megan S.; Green, Ruth; Marsillac, Sylvia M.; Coquelle, Nicolas; Williams, R. Scott; Yeung, Telford; "
         "Foo, Desmond; Hau, D. Duong; Hui, Ben; Monteiro, Alvaro N.A.; Glover, J.N. Mark"),
    Read("pmc/jats_1471-2180-11-174.nxml", "pmcid:PMC3166277", "11", None, "174", "Dennehy, John J; Wang, Ing-Nang"),
    Read("pmc/jats_PMC5828200.nxml", "pmcid:PMC5828200", "9", "12", "10681-10697",
         "Tai, Yi-Heng; Lin, Yu-Yi; Wang, Kai-Chen; Chang, Chao-Lin; Chen, Ru-Yin; Wu, Chia-Chu; Cheng, Irene H."),
    Read("pmc/jats_PMC7417471.nxml", "pmcid:PMC7417471", "7", None, "27",
         "Al-Dhahebi, Adel Mohammed; Gopinath, Subash Chandra Bose; Saheed, Mohamed Shuaib Mohamed"),
    Read("pmc/jats_pntd.0002065.nxml", "pmcid:PMC3585041", "7", "2", "e2065",
         "Fafetine, José; Neves, Luis; Thompson, Peter N.; Paweska, Janusz T.; Rutten, Victor P. M. G.; Coetzer, J. "
         "A. W."),
    Read("pmc/jats_pone.0000217.nxml", "pmcid:PMC1790863", "2", "2", "e217",
         "Tenaillon, Olivier; Silander, Olin K.; Uzan, Jean-Philippe; Chao, Lin"),
    # Europe PMC
    Read("europepmc/search_cancer_core.json", "pmid:39709209", "404", "10471", "2603-2604",
         "Schoenfeld, Jonathan D; Haas-Kogan, Daphne A; O'Neill, Allison F"),
    Read("europepmc/search_cancer_core.json", "pmid:39709208", "404", "10471", "2542", ""),
    Read("europepmc/search_cancer_core.json", "pmid:40468710", "30", "3", "e12807",
         "Al-Abbadey, Miznah; Tomescu-Stachie, Sonia; Kaklamanou, Daphne; Jarrett, Nikki; Merwood, Andrew; Tyndall, "
         "Ian; McCracken, Lance"),
    Read("europepmc/biomcp_search_pmid_20516115.json", "pmid:20516115", "70", "12", "4880-4890", None),
    Read("europepmc/biomcp_20614e48e1a4.json", "pmid:30197789", "15", "3", "210-227", None),
    # Crossref
    Read(CROSSREF + "10.1016_j.molcel.2019.06.008.json", "doi:10.1016/j.molcel.2019.06.008", "75", "4", "823-834.e5",
         "Wang, Tianshi; Cao, Ying; Zheng, Quan; Tu, Jun; Zhou, Wei; He, Jianli; Zhong, Jie; Chen, Yalan; Wang, "
         "Jiqiu; Cai, Rong; Zuo, Yong; Wei, Bo; Fan, Qiuju; Yang, Jie; Wu, Yicheng; Yi, Jing; Li, Dali; Liu, Mingyao; "
         "Wang, Chuangui; Zhou, Aiwu; Li, Yu; Wu, Xuefeng; Yang, Wen; Chin, Y. Eugene; Chen, Guoqiang; Cheng, Jinke"),
    Read(CROSSREF + "10.7554_eLife.68292.json", "doi:10.7554/elife.68292", "10", None, "",
         "Wong, Jeffrey V; Franz, Max; Siper, Metin Can; Fong, Dylan; Durupinar, Funda; Dallago, Christian; Luna, "
         "Augustin; Giorgi, John; Rodchenkov, Igor; Babur, Özgün; Bachman, John A; Gyori, Benjamin M; Demir, Emek; "
         "Bader, Gary D; Sander, Chris"),
    Read(CROSSREF + "10.1101_2022.09.28.22280453.json", "doi:10.1101/2022.09.28.22280453", None, None, "",
         "Zhang, Ping; Brown, Katherine; Barnes, David; Kitchen-Smith, Isaac; Sims, David; Flanagan, Adrienne; De "
         "Noon, Solange; Van Loo, Peter; Hargreaves, Steven; Cross, Will; Pillay, Nischalan; Jafri, Mariam; Wallis, "
         "Yvonne; Ucanok, Deniz; Ntaoulas, Sotirios; Manz, Markus G; Tebaldi, Toma; Inga, Alberto; Grochola, Lukasz "
         "F.; Bond, Gareth; Genomics England Research Consortium"),
    Read(CROSSREF + "work_query_5.json", "doi:10.7554/elife.89382.1", None, None, "",
         "Nakonechnaya, T.O.; Moltedo, B.; Putintseva, E.V.; Leyn, S.; Bolotin, D.A.; Britanova, O.V.; Shugay, M.; "
         "Chudakov, D.M."),
)  # fmt: skip


def _crossref(path: Path) -> Iterable[object]:
    value = json.loads(path.read_text(encoding="utf-8"))
    return (work_hit(JsonRecord(work, "work")) for work in (value if isinstance(value, list) else [value]))


def _reader(file: str) -> Callable[[Path], Iterable[object]]:
    folder, _, name = file.partition("/")
    if folder.startswith("crossref"):
        return _crossref
    read = {"pmc": read_jats, "europepmc": read_europepmc}.get(folder, read_pubmed)
    if name.startswith("medline"):
        read = read_medline

    def read_all(path: Path) -> Iterable[object]:
        with path.open("rb") as stream:
            return list(read(stream))

    return read_all


def _publication(read: Read) -> Publication:
    hits = (hit for hit in _reader(read.file)(ANSWERS / read.file) if isinstance(hit, Hit))
    return next(hit for hit in hits if read.identifier in hit.identifiers).publication


def _pages(publication: Publication) -> str:
    if publication.pages is None:
        return publication.article_number or ""
    first, last = publication.pages.first, publication.pages.last
    return f"{first}-{last}" if last and last != first else first


def _name(person: Contributor) -> str:
    suffix = f" [{person.suffix}]" if person.suffix else ""
    return person.collective or f"{person.family}, {person.given or person.initials}{suffix}"


@needs_recorded_answers
@pytest.mark.parametrize("read", VALUES, ids=lambda read: f"{read.file}:{read.identifier}")
def test_a_record_states_what_a_person_reads_in_it(read: Read) -> None:
    found = _publication(read)
    assert (found.volume, found.issue, _pages(found)) == (read.volume, read.issue, read.pages)
    if read.authors is not None:
        assert "; ".join(map(_name, found.authors)) == read.authors
